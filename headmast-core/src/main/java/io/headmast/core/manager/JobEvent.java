// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.ChangeReason;
import io.headmast.api.Job;
import io.headmast.api.JobChange;
import io.headmast.api.JobPath;
import io.headmast.api.JobView;
import io.headmast.api.Keys;
import io.headmast.core.mirror.Difference;
import io.headmast.core.mirror.Entry;
import io.headmast.core.plan.Observer;
import io.headmast.core.schedule.Fact;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What became of a job at one revision: it follows from what was stored before and at that revision alone. Without
 * payloads. A record that can't be read counts as none, as it does in lists.
 *
 * @param before with its record of before; absent if there was none
 * @param after absent if there is none any more
 */
record JobEvent(long revision, Optional<JobView> before, Optional<JobView> after) {
    /**
     * What one move of a mirror did to jobs, by ascending id.
     *
     * @param look at the cluster after the move
     */
    static List<JobEvent> of(Observer.Look look, List<Difference<Fact>> differences) {
        Map<String, Optional<Difference<Fact>>> touched = new TreeMap<>();
        for (Difference<Fact> difference : differences) {
            Keys.Name name = difference.latest().name();
            if (name instanceof Keys.Name.OfJob of) {
                touched.put(of.jobId(), Optional.of(difference));
            } else {
                jobOf(name).ifPresent(id -> touched.putIfAbsent(id, Optional.empty()));
            }
        }
        return touched.entrySet().stream()
                .map(entry -> of(look, entry.getKey(), entry.getValue()))
                .filter(event -> event.before.isPresent() || event.after.isPresent())
                .toList();
    }

    /** What it is to those who watch a path; empty if it doesn't concern them. */
    Optional<JobChange> on(JobPath path) {
        Optional<JobView> was = before.filter(view -> path.matches(view.job()));
        Optional<JobView> is = after.filter(view -> path.matches(view.job()));
        if (is.isPresent()) {
            return is.map(view -> new JobChange(was.isPresent() ? ChangeReason.UPDATED : ChangeReason.ADDED, view));
        }
        return was.map(view -> new JobChange(ChangeReason.DELETED, view));
    }

    private static JobEvent of(Observer.Look look, String jobId, Optional<Difference<Fact>> ofRecord) {
        Optional<JobView> after = look.job(jobId);
        Optional<JobView> before = ofRecord.isEmpty()
                ? after
                : ofRecord.flatMap(Difference::before).flatMap(entry -> former(look, entry));
        return new JobEvent(look.revision(), before, after);
    }

    private static Optional<JobView> former(Observer.Look look, Entry<Fact> entry) {
        return entry.value()
                .value()
                .map(Job.class::cast)
                .map(job -> new JobView(job, entry.modRevision(), look.observe(job)));
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
