// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.JobStatus;
import io.headmast.api.Keys;
import io.headmast.api.Phase;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.WatchEvent;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A state is written with the placement that it tells of, or by the worker that holds the placement: it names that
 * worker and epoch, or gives the placement up at the same revision. State and record go away together, and only when the
 * job was being deleted and was placed nowhere.
 */
final class StatesByTheirWriters extends StepCheck {
    @Override
    public String name() {
        return "states-by-their-writers";
    }

    @Override
    void look(StoreStep step, Consumer<String> report) {
        for (WatchEvent change : step.changes()) {
            step.name(change.key()).ifPresent(name -> {
                if (name instanceof Keys.Name.OfState of && change instanceof WatchEvent.Put) {
                    written(step, of.jobId(), report);
                } else if (name instanceof Keys.Name.OfState of) {
                    if (step.after().get(step.keys().job(of.jobId())).isPresent()) {
                        report.accept("the state of " + of.jobId() + " was removed and its record was not");
                    }
                } else if (name instanceof Keys.Name.OfJob of && change instanceof WatchEvent.Delete) {
                    removed(step, of.jobId(), report);
                }
            });
        }
    }

    private static void written(StoreStep step, String job, Consumer<String> report) {
        Optional<StoreView.Stated> state = step.after().state(job);
        if (state.isEmpty()) {
            report.accept("the state of " + job + " can't be read");
            return;
        }
        List<StoreView.Placed> fresh = step.after().placements(job).stream()
                .filter(placed -> placed.epoch() == step.number())
                .toList();
        List<StoreView.Placed> held = step.before().placements(job);
        boolean ofLeader = fresh.size() == 1
                && state.get().state().phase() == Phase.SCHEDULED
                && state.get().names(fresh.get(0));
        boolean ofOwner = fresh.isEmpty()
                && held.stream()
                        .anyMatch(placed -> state.get().names(placed)
                                || step.deletes(placed.item().key()));
        if (!ofLeader && !ofOwner) {
            report.accept("the state of " + job + " became " + state.get() + " while it was placed as " + held);
        }
    }

    private static void removed(StoreStep step, String job, Consumer<String> report) {
        StoreView before = step.before();
        boolean deleting = before.job(job)
                .filter(record -> record.status() == JobStatus.DELETING)
                .isPresent();
        Optional<KeyValue> left = step.after().get(step.keys().state(job));
        if (!deleting || !before.placements(job).isEmpty() || left.isPresent()) {
            report.accept(job + " was removed; it was " + before.job(job) + ", placed as " + before.placements(job)
                    + (left.isPresent() ? ", and its state was left" : ""));
        }
    }
}
