// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import java.util.Optional;
import java.util.Random;

/** The server that leads ends without a word, and comes back. */
final class KillLeader implements Fault {
    @Override
    public String name() {
        return "kill-leader";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(0.2, 12);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        return stage.takeLeader().map(server -> {
            stage.cluster().child(server).kill9();
            return new Occurrence(stage, server, () -> stage.cluster().server(server), Aftermath::leaderChanged);
        });
    }
}
