// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobOutcome;
import io.headmast.core.testing.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every job has an outcome, in order, whatever becomes of the others. */
final class ManyJobsTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final VirtualLoop time = new VirtualLoop();
    private final List<CompletableFuture<JobOutcome>> under = new ArrayList<>();

    private CompletableFuture<List<JobOutcome>> run(int count) {
        List<String> ids = IntStream.range(0, count).mapToObj(i -> "j" + i).toList();
        return ManyJobs.run(time, LIMIT, ids, id -> id, id -> {
            CompletableFuture<JobOutcome> outcome = new CompletableFuture<>();
            under.add(outcome);
            return outcome;
        });
    }

    private static JobOutcome done(int i) {
        return JobOutcome.done("j" + i, JobOutcome.OK, i);
    }

    @Test
    void outcomesKeepTheOrderOfTheJobs() {
        CompletableFuture<List<JobOutcome>> outcomes = run(3);
        under.get(2).complete(done(2));
        under.get(0).complete(done(0));
        assertFalse(outcomes.isDone());
        under.get(1).completeExceptionally(new HeadmastException.AlreadyExists("another"));
        assertEquals(
                List.of(200, 409, 200),
                outcomes.join().stream().map(JobOutcome::status).toList());
        assertEquals(Optional.of("j1"), outcomes.join().get(1).id());
    }

    @Test
    void soManyAreUnderWayAndNoMore() {
        CompletableFuture<List<JobOutcome>> outcomes = run(ManyJobs.MAX_UNDER_WAY + 5);
        assertEquals(ManyJobs.MAX_UNDER_WAY, under.size());
        under.get(3).complete(done(3));
        assertEquals(ManyJobs.MAX_UNDER_WAY + 1, under.size());
        for (int i = 0; i < under.size(); i++) {
            under.get(i).complete(done(i));
        }
        assertEquals(ManyJobs.MAX_UNDER_WAY + 5, outcomes.join().size());
    }

    @Test
    void whatIsNotKnownInTimeIsInDoubtAndWhatWasNotBegunIsNot() {
        CompletableFuture<List<JobOutcome>> outcomes = run(ManyJobs.MAX_UNDER_WAY + 2);
        under.get(0).complete(done(0));
        time.advance(LIMIT);
        List<JobOutcome> told = outcomes.join();
        assertEquals(ManyJobs.MAX_UNDER_WAY + 2, told.size());
        assertEquals(200, told.get(0).status());
        assertEquals(504, told.get(1).status());
        assertEquals(504, told.get(ManyJobs.MAX_UNDER_WAY).status());
        assertEquals(503, told.get(ManyJobs.MAX_UNDER_WAY + 1).status());
        int begun = under.size();
        under.forEach(late -> late.complete(done(0)));
        assertEquals(begun, under.size(), "nothing is begun any more");
    }

    @Test
    void workThatEndsAtOnceDoesNotNest() {
        List<Integer> all = IntStream.range(0, 100_000).boxed().toList();
        List<JobOutcome> told = ManyJobs.run(
                        time, LIMIT, all, i -> "j" + i, i -> CompletableFuture.completedFuture(done(i)))
                .join();
        assertEquals(100_000, told.size());
        assertEquals(done(77), told.get(77));
    }

    @Test
    void bugIsAnOutcomeOfItsJobAlone() {
        List<JobOutcome> told = ManyJobs.run(time, LIMIT, List.of(0, 1), i -> "j" + i, i -> {
                    if (i == 0) {
                        throw new IllegalStateException("bug");
                    }
                    return CompletableFuture.completedFuture(done(i));
                })
                .join();
        assertEquals(List.of(500, 200), told.stream().map(JobOutcome::status).toList());
    }

    @Test
    void noneIsNone() {
        assertTrue(run(0).join().isEmpty());
    }
}
