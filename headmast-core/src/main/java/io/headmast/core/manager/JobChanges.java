// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.ChangeReason;
import io.headmast.api.Job;
import io.headmast.api.JobView;
import io.headmast.api.Keys;
import io.headmast.core.mirror.Difference;
import io.headmast.core.mirror.Entry;
import io.headmast.core.plan.Observer;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.schedule.Fact;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns what changed in the mirror into what job observers are told, once per job and move of the mirror. */
final class JobChanges implements ClusterMirror.Listener {
    private final Observer observer;
    private final Observers<JobView> observers;

    JobChanges(Observer observer, Observers<JobView> observers) {
        this.observer = observer;
        this.observers = observers;
    }

    @Override
    public void moved(List<Difference<Fact>> differences) {
        if (observers.isEmpty()) {
            return;
        }
        Map<String, ChangeReason> touched = new LinkedHashMap<>();
        for (Difference<Fact> difference : differences) {
            Fact fact = difference.after().or(difference::before).orElseThrow().value();
            if (fact.name() instanceof Keys.Name.OfJob of) {
                recordChanged(of.jobId(), difference, touched);
            } else {
                jobOf(fact.name()).ifPresent(id -> touched.putIfAbsent(id, ChangeReason.UPDATED));
            }
        }
        touched.forEach((id, reason) -> observer.job(id).ifPresent(view -> observers.tell(view, reason)));
    }

    private void recordChanged(String jobId, Difference<Fact> difference, Map<String, ChangeReason> touched) {
        if (difference.after().isPresent()) {
            touched.put(jobId, difference.before().isPresent() ? ChangeReason.UPDATED : ChangeReason.ADDED);
            return;
        }
        if (touched.remove(jobId) == ChangeReason.ADDED) {
            // It came and went within one move: nobody was told that it was there.
            return;
        }
        Entry<Fact> last = difference.before().orElseThrow();
        last.value()
                .value()
                .map(Job.class::cast)
                .ifPresent(job -> observers.tell(
                        new JobView(job, last.modRevision(), observer.observe(job)), ChangeReason.DELETED));
    }

    private static Optional<String> jobOf(Keys.Name name) {
        if (name instanceof Keys.Name.OfState state) {
            return Optional.of(state.jobId());
        } else if (name instanceof Keys.Name.OfAssignment assignment) {
            return Optional.of(assignment.jobId());
        } else if (name instanceof Keys.Name.OfKiller killer) {
            return Optional.of(killer.jobId());
        }
        return Optional.empty();
    }
}
