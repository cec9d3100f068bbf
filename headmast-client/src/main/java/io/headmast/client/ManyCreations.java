// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobOutcomes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Many jobs on their way to being created: in parcels, {@value #IN_FLIGHT} of them at once, those without a certain
 * outcome once more, until each has one. Cancelling its result stops it. Thread-safe.
 */
final class ManyCreations {
    static final int MAX_JOBS = 1000;
    static final int MAX_BYTES = 4 * 1024 * 1024;
    static final int IN_FLIGHT = 2;

    private final Transport transport;
    private final List<Job> jobs;
    private final CompletableFuture<List<JobOutcome>> result = new CompletableFuture<>();
    private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();

    // Guarded by this.
    private final @Nullable JobOutcome[] outcomes;
    private int next;

    private ManyCreations(Transport transport, List<Job> jobs) {
        this.transport = transport;
        this.jobs = List.copyOf(jobs);
        this.outcomes = new JobOutcome[jobs.size()];
    }

    /** Fails only when it is cancelled, or by a bug: what fails a parcel is the outcome of each of its jobs. */
    static CompletableFuture<List<JobOutcome>> send(Transport transport, List<Job> jobs) {
        return new ManyCreations(transport, jobs).start();
    }

    /**
     * Jobs that go together.
     *
     * @param indices which of all
     * @param records their JSON
     */
    private record Parcel(List<Integer> indices, List<byte[]> records) {
        Parcel() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        void add(int index, byte[] json) {
            indices.add(index);
            records.add(json);
        }

        /** Those of it at these places. */
        Parcel only(List<Integer> places) {
            return new Parcel(
                    places.stream().map(indices::get).toList(),
                    places.stream().map(records::get).toList());
        }
    }

    private CompletableFuture<List<JobOutcome>> start() {
        Continuations.onSettled(result, (value, failure) -> pending.forEach(step -> step.cancel(true)));
        List<CompletableFuture<Void>> lanes = new ArrayList<>();
        for (int i = 0; i < IN_FLIGHT; i++) {
            lanes.add(lane());
        }
        Continuations.onSettled(
                CompletableFuture.allOf(lanes.toArray(CompletableFuture[]::new)), (nothing, failure) -> {
                    if (failure == null) {
                        result.complete(told());
                    } else {
                        result.completeExceptionally(failure);
                    }
                });
        return result;
    }

    /** Sends one parcel after the other as long as there are some. */
    private CompletableFuture<Void> lane() {
        Parcel parcel = pack();
        return parcel.indices().isEmpty() || result.isDone()
                ? CompletableFuture.completedFuture(null)
                : deliver(parcel, 1).thenCompose(nothing -> lane());
    }

    private synchronized Parcel pack() {
        Parcel parcel = new Parcel();
        long bytes = 0;
        while (next < jobs.size() && parcel.indices().size() < MAX_JOBS) {
            byte[] json = jobs.get(next).marshalBinary();
            bytes += json.length;
            if (bytes > MAX_BYTES && !parcel.indices().isEmpty()) {
                break;
            }
            parcel.add(next++, json);
        }
        return parcel;
    }

    private CompletableFuture<Void> deliver(Parcel parcel, int round) {
        return hold(transport.send(JobCalls.createMany(parcel.records())))
                .handle((answer, failure) -> failure == null ? take(parcel, answer) : fail(parcel, failure))
                .thenCompose(again -> {
                    if (again.isEmpty()
                            || round == transport.options().retries().rounds()
                            || result.isDone()) {
                        return CompletableFuture.completedFuture(null);
                    }
                    Duration pause = transport
                            .options()
                            .retries()
                            .pauseAfter(round, transport.pauses().random());
                    return hold(transport.pauses().pause(pause))
                            .thenCompose(nothing -> deliver(parcel.only(again), round + 1));
                });
    }

    /** Notes the outcomes and tells at which places in the parcel are those that are worth another try. */
    private synchronized List<Integer> take(Parcel parcel, JobOutcomes answer) {
        List<Integer> again = new ArrayList<>();
        for (int i = 0; i < parcel.indices().size(); i++) {
            int index = parcel.indices().get(i);
            JobOutcome outcome = answer.items().get(i);
            if (!isEcho(outcomes[index], outcome)) {
                outcomes[index] = outcome;
            }
            if (outcome.status() == 503 || outcome.status() == 504) {
                again.add(i);
            }
        }
        return again;
    }

    /** A refusal after an unknown outcome may be due to the very job that was created then. */
    private static boolean isEcho(@Nullable JobOutcome before, JobOutcome now) {
        return before != null && before.status() == 504 && !now.isDone();
    }

    private synchronized List<Integer> fail(Parcel parcel, Throwable failure) {
        Throwable cause = Continuations.causeOf(failure);
        if (!(cause instanceof HeadmastException expected)) {
            throw new IllegalStateException("a batch failed in an unforeseen way", cause);
        }
        for (int index : parcel.indices()) {
            JobOutcome outcome = JobOutcome.failed(Optional.of(jobs.get(index).id()), expected);
            if (!isEcho(outcomes[index], outcome)) {
                outcomes[index] = outcome;
            }
        }
        return List.of();
    }

    private synchronized List<JobOutcome> told() {
        return Arrays.stream(outcomes)
                .map(outcome -> {
                    if (outcome == null) {
                        throw new IllegalStateException("a job without an outcome");
                    }
                    return outcome;
                })
                .toList();
    }

    /** Remembers what must be given up when the caller gives up; the caller may have done so meanwhile. */
    @SuppressWarnings("CollectionUndefinedEquality") // A future equals itself alone, which is what is meant.
    private <T> CompletableFuture<T> hold(CompletableFuture<T> step) {
        pending.add(step);
        Continuations.onSettled(step, (value, failure) -> pending.remove(step));
        if (result.isDone()) {
            step.cancel(true);
        }
        return step;
    }
}
