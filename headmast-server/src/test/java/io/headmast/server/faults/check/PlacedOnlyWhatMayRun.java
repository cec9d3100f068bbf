// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;
import java.util.List;
import java.util.function.Consumer;

/**
 * A job is placed only while its record says that it should run, while it is placed nowhere, and on a worker that is
 * registered, on that worker's lease.
 */
final class PlacedOnlyWhatMayRun extends StepCheck {
    @Override
    public String name() {
        return "placed-only-what-may-run";
    }

    @Override
    void look(StoreStep step, Consumer<String> report) {
        for (KeyValue item : step.created()) {
            step.name(item.key()).ifPresent(name -> {
                if (name instanceof Keys.Name.OfAssignment of) {
                    place(step, of, item, report);
                }
            });
        }
    }

    private static void place(StoreStep step, Keys.Name.OfAssignment of, KeyValue assignment, Consumer<String> report) {
        StoreView before = step.before();
        if (before.job(of.jobId()).filter(Job::wantsPlacement).isEmpty()) {
            report.accept(
                    of.jobId() + " was placed on " + of.workerId() + ", and its record was " + before.job(of.jobId()));
        }
        List<StoreView.Placed> former = before.placements(of.jobId());
        if (!former.isEmpty()) {
            report.accept(of.jobId() + " was placed on " + of.workerId() + " while it was placed as " + former);
        }
        boolean registered = before.get(step.keys().worker(of.workerId()))
                .filter(registration -> registration.lease() == assignment.lease())
                .isPresent();
        if (!registered) {
            report.accept(of.jobId() + " was placed on " + of.workerId() + ", which was not registered on lease "
                    + Long.toHexString(assignment.lease()));
        }
    }
}
