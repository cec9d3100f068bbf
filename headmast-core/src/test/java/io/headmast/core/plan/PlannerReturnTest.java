// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.api.Job;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs that were placed before: restarted, ended, or handed back by their worker. */
final class PlannerReturnTest extends PlannerCase {
    @Test
    void endedJobStaysEndedUntilANewGeneration() {
        keys.worker(Samples.worker("w"));
        keys.job(Samples.job("a"));
        place();
        release("a", Phase.FAILED);
        assertEquals(List.of(), place());
        keys.job(Job.builder().id("a").generation(2).build());
        assertEquals(List.of("a>w"), place());
        assertEquals(2, running("a").generation());
        assertEquals(0, running("a").attempt());
    }

    @Test
    void restartedJobGoesBackToItsWorkerThoughThePolicyWouldTakeAnother() {
        keys.worker(Samples.worker("w1"));
        keys.worker(Samples.worker("w2"));
        keys.job(Samples.job("a"));
        assertEquals(List.of("a>w1"), place());
        keys.job(Job.builder().id("a").generation(2).build());
        place();
        release("a", Phase.PENDING);
        assertEquals(List.of("a>w1"), place());
    }

    @Test
    void restartedJobGoesElsewhereWhenItsWorkerTakesNothing() {
        keys.worker(Samples.worker("w1"));
        keys.worker(Samples.worker("w2"));
        keys.job(Samples.job("a"));
        place();
        keys.job(Job.builder().id("a").generation(2).build());
        place();
        keys.cordon("w1", Optional.of(Samples.cordon()));
        release("a", Phase.PENDING);
        assertEquals(List.of("a>w2"), place());
    }

    @Test
    void lapseCountsAsAnAttemptEvenIfNoStartWasReported() {
        keys.worker(Samples.worker("w"));
        keys.job(Samples.job("a"));
        place();
        keys.state(
                "a", Optional.of(running("a").to(Phase.RUNNING, NOW, "started").withAttempt(1)));
        keys.job(Samples.job("b"));
        keys.job(Job.builder().id("c").targetState(TargetState.LOADED).build());
        place();

        for (int life = 1; life <= 2; life++) {
            keys.die("w");
            keys.worker(Samples.worker("w"));
            place();
            assertEquals(life, running("a").attempt());
            assertEquals(life, running("b").attempt());
            assertEquals(0, running("c").attempt(), "it was to be loaded only");
        }
    }

    private void handBack(String jobId, Duration pause) {
        RunState last = running(jobId);
        String worker = last.worker().orElseThrow();
        RunState.HandBack handBack =
                new RunState.HandBack(worker, keys.workers.get(worker).createRevision(), 1, NOW.plus(pause), "no");
        keys.release(worker, jobId, last.to(Phase.PENDING, NOW, "no").withHandBacks(List.of(handBack)));
    }

    @Test
    void workerThatHandedAJobBackIsSkippedForThatJobOnly() {
        keys.worker(Samples.worker("w"));
        keys.job(Samples.job("a"));
        place();
        handBack("a", Duration.ofSeconds(5));
        keys.job(Samples.job("b"));
        assertEquals(List.of("b>w"), place());
    }

    @Test
    void handedBackJobIsTriedAgainAfterItsPause() {
        keys.worker(Samples.worker("w"));
        keys.job(Samples.job("a"));
        place();
        handBack("a", Duration.ofSeconds(5));
        assertEquals(
                Optional.of(NOW.plusSeconds(5)), planner.plan(NOW, NO_LIMIT).retryAt());
        assertEquals(List.of(), place(NOW.plusMillis(4999)));
        assertEquals(List.of("a>w"), place(NOW.plusSeconds(5)));
        assertEquals(
                Optional.empty(), planner.plan(NOW.plusSeconds(5), NO_LIMIT).retryAt());
    }

    @Test
    void handedBackJobIsTriedAgainWhenTheRegistrationIsAnother() {
        keys.worker(Samples.worker("w"));
        keys.job(Samples.job("a"));
        place();
        handBack("a", Duration.ofDays(1));
        assertEquals(List.of(), place());
        keys.die("w");
        keys.worker(Samples.worker("w"));
        assertEquals(List.of("a>w"), place());
    }

    @Test
    void handBacksOfAnOlderGenerationDoNotCount() {
        keys.worker(Samples.worker("w"));
        keys.job(Samples.job("a"));
        place();
        handBack("a", Duration.ofDays(1));
        keys.job(Job.builder().id("a").generation(2).build());
        assertEquals(List.of("a>w"), place());
    }
}
