// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.TargetState;
import io.headmast.server.faults.check.Evidence.Run;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a run may end, and how not. */
class QuietEndTest {
    private static final long EPOCH = 6;

    private static PlantedStore running() {
        return PlantedStore.ready()
                .place("w1", "a")
                .state("a", Phase.RUNNING, "w1", EPOCH)
                .commit();
    }

    private static Run run(String job, String worker, long epoch) {
        return new Run(job, worker, epoch, 1, Evidence.GOES_ON);
    }

    @Test
    void whatShouldRunRuns() {
        assertEquals(0, count(running(), run("a", "w1", EPOCH)));
        assertEquals(1, count(running()), "nothing runs");
        assertEquals(1, count(running(), run("a", "w2", EPOCH)), "elsewhere");
        assertEquals(1, count(running(), run("a", "w1", EPOCH - 1)), "an older epoch");
        assertEquals(1, count(running(), run("a", "w1", EPOCH), run("a", "w2", EPOCH)), "twice");
        assertEquals(1, count(PlantedStore.ready().place("w1", "a"), run("a", "w1", EPOCH)), "not reported");
        assertEquals(1, count(PlantedStore.ready()), "not placed");
    }

    @Test
    void nothingElseRuns() {
        PlantedStore killed = PlantedStore.ready().job("a", JobStatus.KILLED).commit();
        assertEquals(0, count(killed));
        assertEquals(1, count(killed, run("a", "w1", EPOCH)), "though it is killed");
        PlantedStore loaded = PlantedStore.ready()
                .job(Job.builder().id("a").targetState(TargetState.LOADED).build())
                .commit()
                .place("w1", "a");
        assertEquals(0, count(loaded));
        assertEquals(1, count(loaded, run("a", "w1", EPOCH)), "though it is only loaded");
        assertEquals(1, count(new PlantedStore(), run("b", "w1", EPOCH)), "though there is no such job");
        assertEquals(1, count(running().job("a", JobStatus.KILLED).commit(), run("a", "w1", EPOCH)), "still");
    }

    @Test
    void nothingIsLeft() {
        PlantedStore removed =
                PlantedStore.ready().delete(PlantedStore.KEYS.job("a")).commit();
        assertEquals(0, count(removed));
        assertEquals(1, count(removed.state("a", Phase.PENDING, "w1", EPOCH).commit()), "a state");
        assertEquals(1, count(PlantedStore.ready().job("a", JobStatus.DELETING).commit()), "a record");
        assertEquals(1, count(new PlantedStore().order("w1", "c", EPOCH).commit()), "a kill order");
    }

    private static int count(PlantedStore store, Run... runs) {
        return new QuietEnd()
                .violations(store.evidence(List.of(), List.of(runs), List.of()))
                .size();
    }
}
