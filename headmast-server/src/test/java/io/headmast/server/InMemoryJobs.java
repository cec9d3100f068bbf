// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.ChangeReason;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobOrder;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobOutcomes;
import io.headmast.api.JobPage;
import io.headmast.api.JobQuery;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.manager.JobManager;
import io.headmast.core.manager.JobObserver;
import io.headmast.core.manager.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A job manager over a map. Jobs are never placed by themselves; {@link #run} pretends that one runs, and a running job
 * that is deleted stays until {@link #end}. Thread-safe.
 */
final class InMemoryJobs implements JobManager {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private final StoreFault fault;
    private final TreeMap<String, JobView> jobs = new TreeMap<>();
    private final List<JobObserver> observers = new CopyOnWriteArrayList<>();
    private long revision = 100;

    InMemoryJobs(StoreFault fault) {
        this.fault = fault;
    }

    @Override
    public CompletableFuture<Added> addJob(Job job) {
        return fault.answer(() -> add(job));
    }

    @Override
    public CompletableFuture<List<JobOutcome>> addJobs(List<Job> added, Duration limit) {
        return fault.answer(() -> added.stream()
                .map(job -> outcome(job.id(), () -> {
                    Added result = add(job);
                    return JobOutcome.done(
                            job.id(),
                            result.created() ? 201 : 200,
                            result.view().revision());
                }))
                .toList());
    }

    @Override
    public CompletableFuture<JobOutcomes> orderJobs(JobOrder order, Duration limit) {
        throw new UnsupportedOperationException("orders to many are tested on a store");
    }

    private static JobOutcome outcome(String id, Supplier<JobOutcome> operation) {
        try {
            return operation.get();
        } catch (HeadmastException e) {
            return JobOutcome.failed(Optional.of(id), e);
        }
    }

    @Override
    public CompletableFuture<JobView> updateJob(String jobId, UnaryOperator<Job> change, OptionalLong ifRevision) {
        return fault.answer(() -> {
            Job old = guarded(jobId, ifRevision).job();
            Job job = change.apply(old);
            boolean anew = !old.payload().equals(job.payload()) || !old.domain().equals(job.domain());
            return put(job.toBuilder()
                    .generation(old.generation() + (anew ? 1 : 0))
                    .build());
        });
    }

    @Override
    public CompletableFuture<JobView> controlJob(String jobId, JobAction action, OptionalLong ifRevision) {
        return fault.answer(() -> {
            Job old = guarded(jobId, ifRevision).job();
            Job.Builder next = old.toBuilder();
            switch (action) {
                case KILL -> next.status(JobStatus.KILLED);
                case ALIVE -> next.status(JobStatus.CREATED);
                case START -> next.targetState(TargetState.LAUNCHED);
                case STOP, UNLOAD -> next.targetState(TargetState.INACTIVE);
                case LOAD -> next.targetState(TargetState.LOADED);
                case RESTART -> next.generation(old.generation() + 1);
            }
            return put(next.build());
        });
    }

    @Override
    public CompletableFuture<JobView> removeJob(String jobId) {
        return fault.answer(() -> remove(jobId));
    }

    @Override
    public CompletableFuture<JobView> getJob(String jobId) {
        return fault.answer(() -> existing(jobId));
    }

    @Override
    public CompletableFuture<JobPage> getJobs(JobQuery query) {
        return fault.answer(() -> page(query));
    }

    @Override
    public Subscription registerObserver(JobObserver observer) {
        observers.add(observer);
        return () -> observers.remove(observer);
    }

    int observers() {
        return observers.size();
    }

    /** Everything that came through to the store. */
    synchronized List<String> ids() {
        return List.copyOf(jobs.keySet());
    }

    /** Pretends that a worker runs the job. */
    synchronized void run(String jobId, String worker) {
        JobView old = existing(jobId);
        RunState state =
                old.state().to(Phase.RUNNING, START, "placed by hand").withWorker(Optional.of(worker), revision);
        jobs.put(jobId, new JobView(old.job(), old.revision(), state));
    }

    /** Pretends that the run of a deleted job ended. */
    void end(String jobId) {
        JobView last;
        synchronized (this) {
            last = existing(jobId);
            jobs.remove(jobId);
        }
        tell(last, ChangeReason.DELETED);
    }

    private Added add(Job job) {
        JobView old;
        synchronized (this) {
            old = jobs.get(job.id());
        }
        if (old == null) {
            return new Added(put(job), true);
        }
        requireKept(old);
        if (!old.job().equals(job)) {
            throw new HeadmastException.AlreadyExists("another job has the id " + job.id());
        }
        return new Added(old, false);
    }

    private JobView remove(String jobId) {
        JobView old = existing(jobId);
        JobView deleting = old.job().status() == JobStatus.DELETING
                ? old
                : put(old.job().toBuilder().status(JobStatus.DELETING).build());
        if (deleting.state().worker().isEmpty()) {
            end(jobId);
        }
        return deleting;
    }

    private synchronized JobPage page(JobQuery query) {
        List<JobView> found = jobs
                .tailMap(query.cursor().orElse(""), query.cursor().isEmpty())
                .values()
                .stream()
                .filter(view -> matches(view, query))
                .limit(query.limit() + 1L)
                .toList();
        if (found.size() <= query.limit()) {
            return new JobPage(found, Optional.empty(), 0);
        }
        List<JobView> items = found.subList(0, query.limit());
        return new JobPage(items, Optional.of(items.get(items.size() - 1).job().id()), 0);
    }

    private static boolean matches(JobView view, JobQuery query) {
        Job job = view.job();
        return query.domain().map(job.domain()::equals).orElse(true)
                && query.status().map(status -> status == job.status()).orElse(true)
                && query.phase().map(phase -> phase == view.state().phase()).orElse(true)
                && query.worker()
                        .map(id -> view.state().worker().equals(Optional.of(id)))
                        .orElse(true)
                && job.labels().entrySet().containsAll(query.labels().entrySet());
    }

    private JobView put(Job job) {
        JobView view;
        boolean added;
        synchronized (this) {
            JobView old = jobs.get(job.id());
            added = old == null;
            RunState state = added ? unplaced(job) : old.state();
            view = new JobView(job, ++revision, state);
            jobs.put(job.id(), view);
        }
        tell(view, added ? ChangeReason.ADDED : ChangeReason.UPDATED);
        return view;
    }

    private static RunState unplaced(Job job) {
        return RunState.unplaced(Phase.PENDING, job.generation(), 0, START, "no worker serves " + job.domain());
    }

    private JobView guarded(String jobId, OptionalLong ifRevision) {
        JobView old = existing(jobId);
        requireKept(old);
        if (ifRevision.isPresent() && ifRevision.getAsLong() != old.revision()) {
            throw new HeadmastException.PreconditionFailed("job " + jobId + " is at revision " + old.revision());
        }
        return old;
    }

    private static void requireKept(JobView view) {
        if (view.job().status() == JobStatus.DELETING) {
            throw new HeadmastException.Conflict("job " + view.job().id() + " is being deleted");
        }
    }

    private synchronized JobView existing(String jobId) {
        JobView view = jobs.get(jobId);
        if (view == null) {
            throw new HeadmastException.NotFound("there is no job " + jobId);
        }
        return view;
    }

    private void tell(JobView view, ChangeReason reason) {
        observers.forEach(observer -> observer.changed(view, reason));
    }
}
