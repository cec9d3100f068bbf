// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.BulkAction;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobOrder;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobOutcomes;
import io.headmast.api.JobPage;
import io.headmast.api.JobQuery;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.Keys;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.store.KeyValueStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/** The job manager over the store: commands are compare-and-swaps, lists come from the server's mirror. */
public final class StoreJobManager implements JobManager {
    private final ClusterMirror mirror;
    private final RecordReader records;
    private final JobAdder adder;
    private final RecordEditor editor;
    private final PageReader pages;
    private final Observers<JobView> observers;
    private final AtomicLong lastWritten = new AtomicLong();

    /** Must be created before the mirror is started, which its observers follow. */
    public StoreJobManager(KeyValueStore store, ClusterMirror mirror) {
        this.mirror = mirror;
        Keys keys = mirror.keys();
        SharedTxns writes = new SharedTxns(store);
        this.records = new RecordReader(store, keys);
        this.adder = new JobAdder(keys, records, writes);
        this.editor = new RecordEditor(keys, records, writes);
        this.pages = new PageReader(records, mirror);
        this.observers = new Observers<>("job-observers");
        mirror.addListener(new JobChanges(mirror.observer(), observers));
    }

    @Override
    public CompletableFuture<Added> addJob(Job job) {
        return add(job).thenCompose(result -> added(job, result));
    }

    @Override
    public CompletableFuture<List<JobOutcome>> addJobs(List<Job> jobs, Duration limit) {
        return ManyJobs.run(
                mirror.loop(),
                limit,
                jobs,
                Job::id,
                job -> add(job).thenApply(result -> JobOutcome.done(
                        job.id(), result.created() ? JobOutcome.CREATED : JobOutcome.OK, result.revision())));
    }

    @Override
    public CompletableFuture<JobOutcomes> orderJobs(JobOrder order, Duration limit) {
        RecordEditor.Edit edit = order.action()
                .order()
                .map(action -> Orders.of(action, OptionalLong.empty()))
                .orElseGet(Orders::delete);
        int status = order.action() == BulkAction.DELETE ? JobOutcome.ACCEPTED : JobOutcome.OK;
        long begun = mirror.loop().nanoTime();
        return pages.select(order, lastWritten.get()).thenCompose(selected -> {
            Duration left = limit.minusNanos(mirror.loop().nanoTime() - begun);
            return ManyJobs.run(
                            mirror.loop(),
                            left,
                            selected.ids(),
                            id -> id,
                            id -> edit(id, edit).thenApply(stored -> JobOutcome.done(id, status, stored.revision())))
                    .thenApply(outcomes -> new JobOutcomes(outcomes, selected.next()));
        });
    }

    @Override
    public CompletableFuture<JobView> updateJob(String jobId, UnaryOperator<Job> change, OptionalLong ifRevision) {
        return edit(jobId, Orders.replace(change, ifRevision)).thenCompose(this::view);
    }

    @Override
    public CompletableFuture<JobView> controlJob(String jobId, JobAction action, OptionalLong ifRevision) {
        return edit(jobId, Orders.of(action, ifRevision)).thenCompose(this::view);
    }

    @Override
    public CompletableFuture<JobView> removeJob(String jobId) {
        return edit(jobId, Orders.delete()).thenCompose(this::view);
    }

    @Override
    public CompletableFuture<JobView> getJob(String jobId) {
        return records.read(jobId).thenCompose(this::view);
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

    private CompletableFuture<JobAdder.Result> add(Job job) {
        return adder.add(job).thenApply(result -> {
            if (result.created()) {
                written(result.revision());
            }
            return result;
        });
    }

    private CompletableFuture<RecordReader.Stored> edit(String jobId, RecordEditor.Edit edit) {
        return editor.edit(jobId, edit).thenApply(stored -> {
            written(stored.revision());
            return stored;
        });
    }

    private CompletableFuture<JobView> view(RecordReader.Stored stored) {
        return view(stored.job(), stored.revision());
    }

    /** Shows a record with what is observed of it once the mirror has seen that record. */
    private CompletableFuture<JobView> view(Job job, long revision) {
        return mirror.read(
                revision, () -> new JobView(job, revision, mirror.observer().observe(job)));
    }

    private void written(long revision) {
        lastWritten.accumulateAndGet(revision, Math::max);
    }

    private CompletableFuture<Added> added(Job sent, JobAdder.Result result) {
        if (!result.created()) {
            return view(result.job(), result.revision()).thenApply(view -> new Added(view, false));
        }
        RunState fresh = RunState.unplaced(Phase.PENDING, sent.generation(), 0, Instant.EPOCH, "waiting to be placed");
        RunState shown = sent.wantsPlacement() ? fresh : mirrorless(sent, fresh);
        return CompletableFuture.completedFuture(new Added(new JobView(sent, result.revision(), shown), true));
    }

    private static RunState mirrorless(Job job, RunState fresh) {
        return job.status() == JobStatus.KILLED
                ? fresh.to(Phase.KILLED, fresh.since(), "killed")
                : fresh.to(Phase.INACTIVE, fresh.since(), "target state is inactive");
    }
}
