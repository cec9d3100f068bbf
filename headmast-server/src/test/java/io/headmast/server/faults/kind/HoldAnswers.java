// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.CuttingProxy;
import java.util.Optional;
import java.util.Random;

/** What a process sends is carried out, and no answer comes; its connections stay open. */
final class HoldAnswers implements Fault {
    @Override
    public String name() {
        return "hold-answers";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(4, 12);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        return OneWay.held(stage, random, CuttingProxy.Direction.DOWN);
    }
}
