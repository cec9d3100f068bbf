// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import java.util.Optional;
import java.util.Random;

/** The leader is frozen, mostly beyond its lease, and wakes believing that it leads. */
final class FreezeLeader implements Fault {
    @Override
    public String name() {
        return "freeze-leader";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(3, 15);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        return stage.takeLeader().map(server -> {
            stage.cluster().child(server).pause();
            return new Occurrence(
                    stage, server, () -> stage.cluster().child(server).resume(), Aftermath::leaderChanged);
        });
    }
}
