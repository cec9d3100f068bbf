// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.packing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Worker;
import io.headmast.core.policy.ScheduleContext;
import io.headmast.core.policy.SchedulePolicy;
import io.headmast.core.testing.Samples;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A policy is asked with plain lists here: no server, no store, no clock. */
class PackPolicyTest {
    private final SchedulePolicy pack = new PackPolicy();

    private List<Worker> add(List<Worker> workers, String... jobs) {
        ScheduleContext context = new ScheduleContext();
        List<Worker> now = workers;
        for (String job : jobs) {
            now = pack.determineWithJobChanged(context, Samples.job(job), now, true);
        }
        return now;
    }

    private static String show(List<Worker> workers) {
        return workers.stream()
                .map(worker -> worker.id() + ":" + String.join(",", worker.workingJobs()))
                .collect(Collectors.joining(" "));
    }

    @Test
    void oneWorkerIsFilledBeforeTheNext() {
        List<Worker> workers = List.of(Samples.worker("w1", 2), Samples.worker("w2", 2));
        assertEquals("w1:a,b w2:c", show(add(workers, "a", "b", "c")));
    }

    @Test
    void theFullestGoesFirst() {
        List<Worker> workers =
                List.of(Samples.worker("w1", 4), Samples.worker("w2", 4).withJobs(List.of("x"), List.of()));
        assertEquals("w1: w2:x,a", show(add(workers, "a")));
    }

    @Test
    void jobsOfAWorkerThatIsGoneFillTheOthers() {
        Worker gone = Samples.worker("w3", 2).withJobs(List.of("a", "b"), List.of());
        List<Worker> rest = List.of(Samples.worker("w1", 9), Samples.worker("w2", 9));
        assertEquals("w1:a,b w2:", show(pack.determineWithWorkerChanged(new ScheduleContext(), gone, rest, false)));
    }

    @Test
    void whereNothingFitsNothingIsChosen() {
        List<Worker> full = List.of(Samples.worker("w1", 0));
        assertEquals(full, add(full, "a"));
    }

    @Test
    void aServerFindsItByItsName() {
        assertTrue(ServiceLoader.load(SchedulePolicy.class).stream()
                .anyMatch(provider -> provider.get().name().equals("pack")));
    }
}
