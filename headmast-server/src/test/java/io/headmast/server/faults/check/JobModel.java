// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.JobStatus;
import io.headmast.api.TargetState;
import io.headmast.server.faults.check.Operation.Outcome;
import io.headmast.server.faults.check.Operation.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A job's record as one after another would see it, and what each order makes of it. Its revision is known exactly once
 * an answer told it, and otherwise only from below.
 */
record JobModel(Optional<Content> content, long revision, boolean exact) {
    static final JobModel EMPTY = new JobModel(Optional.empty(), 0, false);

    private static final Content FRESH = new Content(JobStatus.CREATED, TargetState.LAUNCHED, 1);

    /** What orders change of a record. */
    record Content(JobStatus status, TargetState target, long generation) {
        Content withStatus(JobStatus next) {
            return new Content(next, target, generation);
        }

        Content withTarget(TargetState next) {
            return new Content(status, next, generation);
        }
    }

    /**
     * What the record can be after an operation that did what its outcome says; nothing if it can't have.
     */
    List<JobModel> after(Operation operation) {
        List<JobModel> next = new ArrayList<>();
        for (JobModel before : withRemoval()) {
            before.apply(operation).ifPresent(next::add);
        }
        return next;
    }

    /** What it can be after an operation took effect of which no answer tells; nothing if that changes nothing. */
    List<JobModel> afterEffectOf(Operation.Kind kind) {
        List<JobModel> next = new ArrayList<>();
        for (JobModel before : withRemoval()) {
            before.effect(kind)
                    .filter(content -> !before.content.equals(Optional.of(content)))
                    .ifPresent(content -> next.add(new JobModel(Optional.of(content), before.revision, false)));
        }
        return next;
    }

    /** The leader removes the record of a deleted job at any time. */
    private List<JobModel> withRemoval() {
        return isDeleting() ? List.of(this, new JobModel(Optional.empty(), revision, false)) : List.of(this);
    }

    private Optional<JobModel> apply(Operation operation) {
        Outcome outcome = operation.outcome();
        if (outcome instanceof Outcome.Shown shown) {
            Optional<Content> wanted = operation.kind() == Operation.Kind.READ ? content : effect(operation.kind());
            return wanted.flatMap(after -> shown(after, shown.seen()));
        } else if (outcome instanceof Outcome.Accepted) {
            return effect(operation.kind())
                    .map(after -> content.equals(Optional.of(after))
                            ? this
                            : new JobModel(Optional.of(after), revision, false));
        } else if (outcome instanceof Outcome.Absent) {
            return content.isEmpty() ? Optional.of(this) : Optional.empty();
        } else if (outcome instanceof Outcome.Refused) {
            return refuses(operation.kind()) ? Optional.of(this) : Optional.empty();
        }
        throw new IllegalStateException("nothing is known of " + operation);
    }

    /** The record after an effect, as an answer showed it. */
    private Optional<JobModel> shown(Content after, Seen seen) {
        boolean same = after.equals(new Content(seen.status(), seen.target(), seen.generation()));
        boolean changed = !content.equals(Optional.of(after));
        boolean inOrder = (changed || !exact) ? seen.revision() > revision : seen.revision() == revision;
        return same && inOrder
                ? Optional.of(new JobModel(Optional.of(after), seen.revision(), true))
                : Optional.empty();
    }

    /** What an order makes of the record; empty if it is refused. */
    private Optional<Content> effect(Operation.Kind kind) {
        return switch (kind) {
            case SUBMIT -> content.isEmpty() ? Optional.of(FRESH) : content.filter(FRESH::equals);
            case KILL -> open().map(job -> job.withStatus(JobStatus.KILLED));
            case ALIVE -> open().map(job -> job.withStatus(JobStatus.CREATED));
            case STOP -> open().map(job -> job.withTarget(TargetState.INACTIVE));
            case START -> created().map(job -> job.withTarget(TargetState.LAUNCHED));
            case RESTART -> created().map(job -> new Content(job.status(), job.target(), job.generation() + 1));
            case DELETE -> content.map(job -> job.withStatus(JobStatus.DELETING));
            case READ -> Optional.empty();
        };
    }

    /** Whether the record is a reason to refuse the order. A submission also waits for what a removed job left. */
    private boolean refuses(Operation.Kind kind) {
        return switch (kind) {
            case SUBMIT -> content.isEmpty() || !content.get().equals(FRESH);
            case KILL, ALIVE, STOP, START, RESTART ->
                content.isPresent() && effect(kind).isEmpty();
            case DELETE, READ -> false;
        };
    }

    private boolean isDeleting() {
        return content.filter(job -> job.status() == JobStatus.DELETING).isPresent();
    }

    private Optional<Content> open() {
        return content.filter(job -> job.status() != JobStatus.DELETING);
    }

    private Optional<Content> created() {
        return content.filter(job -> job.status() == JobStatus.CREATED);
    }
}
