// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Job;
import io.headmast.core.agent.Ending;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Units with a planted bug. */
final class FlawedUnits implements UnitManager {
    private final UnitManager units;
    private final UnitFlaw flaw;
    private final Map<String, Started> latest = new HashMap<>();

    FlawedUnits(UnitManager units, UnitFlaw flaw) {
        this.units = units;
        this.flaw = flaw;
    }

    @Override
    public Optional<String> refusal(Job job) {
        return units.refusal(job);
    }

    @Override
    public void start(JobContext.Run run, BooleanSupplier leaseIsSafe, Events events) {
        Started started = new Started(run, leaseIsSafe, events);
        latest.put(run.job().id(), started);
        units.start(run, leaseIsSafe, started);
    }

    @Override
    public void stop(String jobId, long epoch, String reason) {
        Started told = latest.get(jobId);
        if (told != null && told.run.epoch() == epoch) {
            told.isTold();
        }
        if (flaw != UnitFlaw.NEVER_FENCED || !reason.startsWith("superseded")) {
            units.stop(jobId, epoch, reason);
        }
    }

    @Override
    public void stopAll(String reason) {
        if (flaw != UnitFlaw.NEVER_FENCED) {
            units.stopAll(reason);
        }
    }

    @Override
    public boolean awaitIdle(Duration limit) throws InterruptedException {
        return units.awaitIdle(limit);
    }

    @Override
    public void close() {
        units.close();
    }

    /** Passes on what becomes of a run, its end only once. */
    private final class Started implements Events {
        private final JobContext.Run run;
        private final BooleanSupplier leaseIsSafe;
        private final Events events;
        private boolean ended;
        private boolean told;

        Started(JobContext.Run run, BooleanSupplier leaseIsSafe, Events events) {
            this.run = run;
            this.leaseIsSafe = leaseIsSafe;
            this.events = events;
        }

        void isTold() {
            told = true;
            if (flaw == UnitFlaw.ENDED_WHEN_TOLD) {
                ended(run.job().id(), run.epoch(), new Ending(Ending.Kind.STOPPED, "told", Optional.empty()));
            }
        }

        @Override
        public void started(String jobId, long epoch) {
            events.started(jobId, epoch);
        }

        @Override
        public void progressed(String jobId, long epoch, String text) {
            events.progressed(jobId, epoch, text);
        }

        @Override
        public void stuck(String jobId, long epoch, String reason) {
            events.stuck(jobId, epoch, reason);
        }

        @Override
        public void ended(String jobId, long epoch, Ending ending) {
            if (ended) {
                return;
            }
            ended = true;
            events.ended(jobId, epoch, ending);
            if (flaw == UnitFlaw.STARTED_AGAIN && told) {
                units.start(run, leaseIsSafe, this);
            }
        }
    }
}
