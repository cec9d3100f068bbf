// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobStatus;
import io.headmast.api.TargetState;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** What each order changes in a job's record. Pure. */
final class Orders {
    private Orders() {}

    /** The edit that carries out an order on a job that is still at {@code ifRevision}, if that is given. */
    static RecordEditor.Edit of(JobAction action, OptionalLong ifRevision) {
        return new RecordEditor.Edit() {
            @Override
            public Job apply(RecordReader.Stored stored) {
                requireUnchanged(stored, ifRevision);
                requireNotDeleting(stored.job());
                return ordered(action, stored);
            }

            @Override
            public boolean isIdempotent() {
                return action != JobAction.RESTART;
            }

            @Override
            public boolean dependsOnState() {
                return action == JobAction.ALIVE || action == JobAction.START;
            }
        };
    }

    /** The edit that replaces a record by one that a user sent. */
    static RecordEditor.Edit replace(UnaryOperator<Job> change, OptionalLong ifRevision) {
        return stored -> {
            requireUnchanged(stored, ifRevision);
            requireNotDeleting(stored.job());
            Job wanted = change.apply(stored.job());
            boolean anew = !wanted.payload().equals(stored.job().payload())
                    || !wanted.domain().equals(stored.job().domain());
            return wanted.toBuilder()
                    .generation(stored.job().generation() + (anew ? 1 : 0))
                    .unknown(wanted.unknown().or(stored.job().unknown()))
                    .build();
        };
    }

    /** The edit that orders a job's deletion. */
    static RecordEditor.Edit delete() {
        return new RecordEditor.Edit() {
            @Override
            public Job apply(RecordReader.Stored stored) {
                return stored.job().toBuilder().status(JobStatus.DELETING).build();
            }

            @Override
            public boolean leadsToAbsence() {
                return true;
            }
        };
    }

    private static Job ordered(JobAction action, RecordReader.Stored stored) {
        Job job = stored.job();
        return switch (action) {
            case KILL -> job.toBuilder().status(JobStatus.KILLED).build();
            case ALIVE -> again(stored).status(JobStatus.CREATED).build();
            case START ->
                again(requireCreated(stored, action))
                        .targetState(TargetState.LAUNCHED)
                        .build();
            case LOAD ->
                requireCreated(stored, action).job().toBuilder()
                        .targetState(TargetState.LOADED)
                        .build();
            case STOP, UNLOAD ->
                job.toBuilder().targetState(TargetState.INACTIVE).build();
            case RESTART ->
                requireCreated(stored, action).job().toBuilder()
                        .generation(job.generation() + 1)
                        .build();
        };
    }

    /** A job that has ended runs once more as a new generation; one that has not goes on. */
    private static Job.Builder again(RecordReader.Stored stored) {
        Job job = stored.job();
        return job.toBuilder().generation(job.generation() + (stored.hasEnded() ? 1 : 0));
    }

    private static RecordReader.Stored requireCreated(RecordReader.Stored stored, JobAction action) {
        if (stored.job().status() == JobStatus.KILLED) {
            throw new HeadmastException.Conflict("job " + stored.job().id() + " is killed; " + action.wireName()
                    + " does nothing before it is made alive");
        }
        return stored;
    }

    private static void requireNotDeleting(Job job) {
        if (job.status() == JobStatus.DELETING) {
            throw new HeadmastException.Conflict("job " + job.id() + " is being deleted");
        }
    }

    private static void requireUnchanged(RecordReader.Stored stored, OptionalLong ifRevision) {
        if (ifRevision.isPresent() && ifRevision.getAsLong() != stored.revision()) {
            throw new HeadmastException.PreconditionFailed("job " + stored.job().id() + " is at revision "
                    + stored.revision() + ", not " + ifRevision.getAsLong() + "; read it again");
        }
    }
}
