// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.api.Worker;
import io.headmast.core.policy.ScheduleContext;
import io.headmast.core.policy.SchedulePolicy;
import io.headmast.core.testing.Samples;
import io.headmast.examples.packing.PackPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyOnListsTest {
    private final SchedulePolicy policy = new PackPolicy();
    private final ScheduleContext context = new ScheduleContext();

    @Test
    void aPolicyIsAskedWithPlainLists() {
        List<Worker> workers = List.of(Samples.worker("w1", 2), Samples.worker("w2", 2));
        for (String id : List.of("a", "b", "c")) {
            workers = policy.determineWithJobChanged(context, Samples.job(id), workers, true);
        }
        assertEquals(List.of("a", "b"), workers.get(0).workingJobs());
    }
}
