// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.CuttingProxy;
import java.util.Optional;
import java.util.Random;

/** Nothing that a process sends comes to the store; its connections stay open. */
final class HoldRequests implements Fault {
    @Override
    public String name() {
        return "hold-requests";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(4, 12);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        return OneWay.held(stage, random, CuttingProxy.Direction.UP);
    }
}
