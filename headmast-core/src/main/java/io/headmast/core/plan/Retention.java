// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The finished jobs that are kept for a limited time, by when that is over, so that however many are kept, only those
 * that are due are looked at. Finished means completed or failed, with no newer generation asked for; a killed job is
 * not.
 *
 * <p>When a job finished is what its worker's wall clock said, and what time it is now is what the leader's says: a job
 * is kept longer or shorter by as much as these differ. The order of events doesn't rest on either: a step that removes a
 * job holds for the very record and state that it was planned on.
 */
final class Retention {
    private static final Comparator<JobSlot> FIRST_DUE_FIRST =
            Comparator.comparing(Retention::dueAt).thenComparing(slot -> slot.id);

    private final NavigableSet<JobSlot> kept = new TreeSet<>(FIRST_DUE_FIRST);

    /** Must come after each change of a slot. */
    void refresh(JobSlot slot) {
        Instant end = slot.underWay ? null : endOf(slot).orElse(null);
        if (slot.keptUntil != null && slot.keptUntil.equals(end)) {
            return;
        }
        if (slot.keptUntil != null) {
            kept.remove(slot);
        }
        slot.keptUntil = end;
        if (end != null) {
            kept.add(slot);
        }
    }

    /** Up to {@code limit} of the jobs whose time is over, those first that have been due for longest. */
    List<JobSlot> due(Instant now, int limit) {
        List<JobSlot> due = new ArrayList<>();
        Iterator<JobSlot> slots = kept.iterator();
        while (due.size() < limit && slots.hasNext()) {
            JobSlot slot = slots.next();
            if (dueAt(slot).isAfter(now)) {
                break;
            }
            due.add(slot);
        }
        return due;
    }

    /** When the next job is due; null for never. */
    @Nullable
    Instant next() {
        return kept.isEmpty() ? null : dueAt(kept.first());
    }

    long size() {
        return kept.size();
    }

    /** When a job that has finished is to be removed; empty for one that has not, or that is kept for ever. */
    static Optional<Instant> endOf(JobSlot slot) {
        if (slot.isUnreadable() || slot.hasAssignments()) {
            return Optional.empty();
        }
        Optional<Job> finished = slot.record().filter(job -> job.status() == JobStatus.CREATED && slot.hasEnded(job));
        Optional<Instant> since = slot.runState().map(RunState::since).filter(when -> !when.equals(Instant.EPOCH));
        return finished.flatMap(Job::retainFor).flatMap(time -> since.flatMap(when -> sum(when, time)));
    }

    /** Empty when nobody lives to see it: a state that was written by hand may say anything. */
    private static Optional<Instant> sum(Instant since, Duration time) {
        return since.isAfter(Instant.MAX.minus(time)) ? Optional.empty() : Optional.of(since.plus(time));
    }

    private static Instant dueAt(JobSlot slot) {
        if (slot.keptUntil == null) {
            throw new IllegalStateException("is not kept: " + slot);
        }
        return slot.keptUntil;
    }
}
