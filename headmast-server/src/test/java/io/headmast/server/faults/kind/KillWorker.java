// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import java.util.Optional;
import java.util.Random;

/** A worker ends without a word, and comes back. */
final class KillWorker implements Fault {
    @Override
    public String name() {
        return "kill-worker";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(0.2, 12);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        return stage.take(Stage.WORKERS, random).map(worker -> {
            stage.cluster().killWorker(worker);
            return new Occurrence(
                    stage, worker, () -> stage.cluster().worker(worker), after -> after.registrationChanged(worker));
        });
    }
}
