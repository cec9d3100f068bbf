// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobPage;
import io.headmast.api.JobQuery;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.Keys;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** The job manager over the store: commands are compare-and-swaps, lists come from the server's mirror. */
public final class StoreJobManager implements JobManager {
    private static final int ADD_TRIES = 3;

    private final KeyValueStore store;
    private final ClusterMirror mirror;
    private final Keys keys;
    private final RecordEditor editor;
    private final PageReader pages;
    private final Observers<JobView> observers;
    private final AtomicLong lastWritten = new AtomicLong();

    /** Must be created before the mirror is started, which its observers follow. */
    public StoreJobManager(KeyValueStore store, ClusterMirror mirror) {
        this.store = store;
        this.mirror = mirror;
        this.keys = mirror.keys();
        this.editor = new RecordEditor(store, keys);
        this.pages = new PageReader(store, mirror);
        this.observers = new Observers<>("job-observers");
        mirror.addListener(new JobChanges(mirror.observer(), observers));
    }

    @Override
    public CompletableFuture<Added> addJob(Job job) {
        return add(job, ADD_TRIES);
    }

    @Override
    public CompletableFuture<JobView> updateJob(String jobId, UnaryOperator<Job> change, OptionalLong ifRevision) {
        return edit(jobId, Orders.replace(change, ifRevision));
    }

    @Override
    public CompletableFuture<JobView> controlJob(String jobId, JobAction action, OptionalLong ifRevision) {
        return edit(jobId, Orders.of(action, ifRevision));
    }

    @Override
    public CompletableFuture<JobView> removeJob(String jobId) {
        return edit(jobId, Orders.delete());
    }

    @Override
    public CompletableFuture<JobView> getJob(String jobId) {
        return editor.read(jobId).thenCompose(this::view);
    }

    @Override
    public CompletableFuture<JobPage> getJobs(JobQuery query) {
        return pages.read(query, lastWritten.get());
    }

    @Override
    public Subscription registerObserver(JobObserver observer) {
        return observers.add(observer::changed);
    }

    /** Ends the thread of the observers. */
    public void close() {
        observers.close();
    }

    private CompletableFuture<JobView> edit(String jobId, RecordEditor.Edit edit) {
        return editor.edit(jobId, edit).thenCompose(stored -> {
            written(stored.revision());
            return view(stored);
        });
    }

    /** Shows a record with what is observed of it once the mirror has seen that record. */
    private CompletableFuture<JobView> view(RecordEditor.Stored stored) {
        return mirror.read(
                stored.revision(),
                () -> new JobView(
                        stored.job(), stored.revision(), mirror.observer().observe(stored.job())));
    }

    private void written(long revision) {
        lastWritten.accumulateAndGet(revision, Math::max);
    }

    private CompletableFuture<Added> add(Job job, int triesLeft) {
        String key = keys.job(job.id());
        Txn txn = new Txn(
                List.of(Compare.absent(key), Compare.absent(keys.state(job.id()))),
                List.of(Op.put(key, RecordEditor.payload(job))),
                List.of(Op.get(key)));
        return RecordEditor.ifKnown(store.txn(txn)).thenCompose(result -> {
            if (result.isPresent()) {
                return added(job, result.get());
            }
            // Adding is idempotent: if the lost one was applied, the next finds the very same job.
            return triesLeft > 1
                    ? add(job, triesLeft - 1).exceptionallyCompose(failure -> afterDoubt(job, failure))
                    : CompletableFuture.failedFuture(inDoubt(job));
        });
    }

    /** A refusal of the second try doesn't say that the first wasn't applied. */
    private static CompletableFuture<Added> afterDoubt(Job job, Throwable failure) {
        Throwable cause = RecordEditor.causeOf(failure);
        return CompletableFuture.failedFuture(
                cause instanceof HeadmastException.Unavailable || cause instanceof HeadmastException.StorageFull
                        ? inDoubt(job)
                        : cause);
    }

    private static HeadmastException inDoubt(Job job) {
        return new HeadmastException.Indeterminate(
                "the store didn't answer; job " + job.id() + " may have been added, add it again");
    }

    private CompletableFuture<Added> added(Job job, TxnResult result) {
        if (result.succeeded()) {
            written(result.revision());
            RunState fresh =
                    RunState.unplaced(Phase.PENDING, job.generation(), 0, Instant.EPOCH, "waiting to be placed");
            RunState shown = job.wantsPlacement() ? fresh : mirrorless(job, fresh);
            return CompletableFuture.completedFuture(new Added(new JobView(job, result.revision(), shown), true));
        }
        Optional<KeyValue> found = result.got(0).stream().findFirst();
        if (found.isEmpty()) {
            throw new HeadmastException.Conflict(
                    "what is left of an earlier job " + job.id() + " is being cleaned up; try again");
        }
        Job stored = RecordEditor.readable(job.id(), found.get());
        if (stored.status() == JobStatus.DELETING) {
            throw new HeadmastException.Conflict("job " + job.id() + " is being deleted; try again when it is gone");
        }
        if (!stored.equals(job)) {
            throw new HeadmastException.AlreadyExists(
                    "another job " + job.id() + " exists; choose another id, or update that one");
        }
        return view(new RecordEditor.Stored(stored, found.get().modRevision(), Optional.empty(), 0))
                .thenApply(view -> new Added(view, false));
    }

    private static RunState mirrorless(Job job, RunState fresh) {
        return job.status() == JobStatus.KILLED
                ? fresh.to(Phase.KILLED, fresh.since(), "killed")
                : fresh.to(Phase.INACTIVE, fresh.since(), "target state is inactive");
    }
}
