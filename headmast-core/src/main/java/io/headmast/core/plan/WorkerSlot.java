// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Cordon;
import io.headmast.api.Worker;
import io.headmast.core.policy.Candidate;
import io.headmast.core.policy.WorkerFacts;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All that is known about one worker id. Owned by its {@link ClusterState}. */
final class WorkerSlot {
    private static final Cordon UNREADABLE =
            new Cordon(Cordon.Mode.CORDON, "", "its value in the store can't be read", Instant.EPOCH);

    final String id;

    @Nullable
    Known<Worker> registration;

    @Nullable
    Known<Cordon> cordon;

    /** Jobs that have an assignment here. */
    final NavigableSet<String> jobs = new TreeSet<>();

    /** Jobs that have a kill order here. */
    final NavigableSet<String> killing = new TreeSet<>();

    /** The weight placed here, placements under way included. */
    long used;

    /** The weight placed here, by what is stored alone. */
    long placed;

    /** The lease that a commit found gone, 0 for none: nothing is planned onto it any more. */
    long lapsedLease;

    /** As it stands in the index of open workers; absent when it isn't there. */
    @Nullable
    Candidate indexed;

    /** The groups of the index that it stands in. */
    Set<String> indexedUnder = Set.of();

    WorkerSlot(String id) {
        this.id = id;
    }

    boolean isEmpty() {
        return registration == null
                && cordon == null
                && jobs.isEmpty()
                && killing.isEmpty()
                && used == 0
                && placed == 0;
    }

    /** The registration, while it is there, can be read, and its lease isn't known to be gone. */
    Optional<Worker> live() {
        return registration == null || isLapsed(registration.lease()) ? Optional.empty() : registration.value();
    }

    boolean isLapsed(long lease) {
        return lease != 0 && lease == lapsedLease;
    }

    /** A mark that can't be read forbids what the lesser one does. */
    Optional<Cordon> mark() {
        return cordon == null ? Optional.empty() : Optional.of(cordon.value().orElse(UNREADABLE));
    }

    Optional<WorkerFacts> facts() {
        return live().map(worker -> new WorkerFacts(worker, used, mark()));
    }

    /** The same by what is stored alone, so that every server shows the same whatever it has under way. */
    Optional<WorkerFacts> storedFacts() {
        return registration == null
                ? Optional.empty()
                : registration.value().map(worker -> new WorkerFacts(worker, placed, mark()));
    }

    /** The candidate it is for new placements; empty when it takes none. */
    Optional<Candidate> open() {
        return facts().filter(facts -> !facts.registration().closing()
                        && facts.cordon().isEmpty()
                        && facts.candidate().hasRoomFor(1))
                .map(WorkerFacts::candidate);
    }

    @Override
    public String toString() {
        return id + "[registration=" + registration + " cordon=" + cordon + " jobs=" + jobs + " killing=" + killing
                + " used=" + used + " placed=" + placed + "]";
    }
}
