// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.server.process.JournalWriter;
import io.headmast.server.process.JournalingWorker;
import io.headmast.worker.JobContext;
import io.headmast.worker.LifecycleHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Workers whose jobs don't do as they are told. */
final class PlantedWorkers {
    private PlantedWorkers() {}

    /** Its jobs say that they have stopped, and go on. */
    public static final class Deaf {
        private Deaf() {}

        public static void main(String[] args) throws Exception {
            JournalingWorker.run(args, Deaf::handler);
        }

        private static LifecycleHandler handler(JournalWriter journal) {
            return new LifecycleHandler() {
                @Override
                public void start(JobContext run) {
                    journal.started(run);
                }

                @Override
                public void stop(JobContext run) {}
            };
        }
    }

    /** Its jobs begin once more a while after they were stopped. */
    public static final class Undead {
        private static final long PAUSE_MILLIS = 2_500;

        private Undead() {}

        public static void main(String[] args) throws Exception {
            JournalingWorker.run(args, Undead::handler);
        }

        private static LifecycleHandler handler(JournalWriter journal) {
            return new LifecycleHandler() {
                @Override
                public void start(JobContext run) {
                    journal.started(run);
                }

                @Override
                public void stop(JobContext run) {
                    journal.stopped(run);
                    var unused = CompletableFuture.runAsync(
                            () -> journal.started(run),
                            CompletableFuture.delayedExecutor(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
                }
            };
        }
    }
}
