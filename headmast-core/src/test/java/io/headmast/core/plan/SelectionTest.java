// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.JobQuery;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** How many jobs are looked at for a list, counted where there are many others. */
class SelectionTest {
    private static final int JOBS = 30_000;

    private final ClusterState state = new ClusterState();
    private final Observer observer = new Observer(state);
    private long revision;

    private void add(Job job) {
        state.job(job.id(), Optional.of(new Known<>(Optional.of(job), ++revision, revision, 0)));
    }

    private void addMany() {
        for (int i = 0; i < JOBS; i++) {
            add(Samples.job(String.format("j%06d", i)).toBuilder()
                    .domain(i % 3_000 == 0 ? "rare" : "common")
                    .build());
        }
    }

    private void place(String jobId, String worker) {
        long epoch = ++revision;
        RunState placed =
                RunState.unplaced(Phase.SCHEDULED, 1, 1, Instant.EPOCH, "test").withWorker(Optional.of(worker), 0);
        state.state(jobId, Optional.of(new Known<>(Optional.of(placed), epoch, epoch, 0)));
        state.assignment(
                worker,
                jobId,
                Optional.of(new Known<>(Optional.of(new Assignment(TargetState.LAUNCHED)), epoch, epoch, 1)));
    }

    private List<String> pages(JobQuery query, int mostLooked) {
        List<String> all = new ArrayList<>();
        int looked = 0;
        Optional<String> next = query.cursor();
        do {
            Observer.Selection page = observer.select(next.map(query::from).orElse(query));
            all.addAll(page.ids());
            looked += page.looked();
            next = page.next();
        } while (next.isPresent());
        assertTrue(looked <= mostLooked, looked + " looked at");
        return all;
    }

    @Test
    void rareDomainIsListedWithoutALookAtTheOthers() {
        addMany();
        JobQuery query = JobQuery.ALL.withDomain("rare").withLimit(3);
        assertEquals(10, pages(query, 14).size());
        assertEquals(
                List.of("j018000", "j021000"),
                pages(query.from("j015000").withLimit(2), 5).subList(0, 2));
        assertEquals(List.of(), pages(JobQuery.ALL.withDomain("nowhere"), 0));
    }

    @Test
    void fewJobsOfAWorkerAreListedWithoutALookAtTheOthers() {
        addMany();
        place("j000500", "w1");
        place("j029999", "w1");
        place("j000501", "w2");
        assertEquals(
                List.of("j000500", "j029999"),
                pages(JobQuery.ALL.withWorker("w1").withLimit(1), 3));
        assertEquals(List.of(), pages(JobQuery.ALL.withWorker("w1").withDomain("rare"), 2));
        assertEquals(List.of(), pages(JobQuery.ALL.withWorker("w9"), 0));
    }

    @Test
    void pageLooksAtNoMoreThanItShowsAndOne() {
        addMany();
        Observer.Selection page = observer.select(JobQuery.ALL.from("j015000"));
        assertEquals(JobQuery.DEFAULT_LIMIT + 1, page.looked());
        assertEquals("j015001", page.ids().get(0));
    }

    @Test
    void oneLookIsBoundedAndGoesOnWhereItEnded() {
        addMany();
        add(Samples.job("j027777").toBuilder().status(JobStatus.KILLED).build());
        JobQuery query = JobQuery.ALL.withStatus(JobStatus.KILLED);
        assertEquals(Observer.MAX_LOOKED_AT, observer.select(query).looked());
        assertEquals(List.of("j027777"), pages(query, JOBS));
    }

    @Test
    void domainIndexFollowsEveryChangeOfTheRecord() {
        add(Job.builder().id("a").domain("eu").build());
        add(Job.builder().id("b").domain("eu").build());
        add(Job.builder().id("a").domain("us").build());
        assertEquals(List.of("b"), pages(JobQuery.ALL.withDomain("eu"), 1));
        assertEquals(List.of("a"), pages(JobQuery.ALL.withDomain("us"), 1));
        state.job("a", Optional.of(new Known<>(Optional.empty(), 1, ++revision, 0)));
        state.job("b", Optional.empty());
        assertEquals("{}", state.domains.toString());
    }

    @Test
    void someAreSelectedAmongThoseThatAreNamed() {
        addMany();
        var named = new TreeSet<>(List.of("j000000", "j000001", "j003000", "nobody"));
        Observer.Selection found = observer.select(JobQuery.ALL.withDomain("rare"), named);
        assertEquals(List.of("j000000", "j003000"), found.ids());
        assertEquals(4, found.looked());
    }
}
