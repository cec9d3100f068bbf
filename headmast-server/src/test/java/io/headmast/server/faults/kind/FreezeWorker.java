// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import java.util.Optional;
import java.util.Random;

/** A worker is frozen, mostly beyond its fence, and wakes. */
final class FreezeWorker implements Fault {
    @Override
    public String name() {
        return "freeze-worker";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(3, 15);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        return stage.take(Stage.WORKERS, random).map(worker -> {
            stage.cluster().child(worker).pause();
            return new Occurrence(
                    stage,
                    worker,
                    () -> stage.cluster().child(worker).resume(),
                    after -> after.registrationChanged(worker));
        });
    }
}
