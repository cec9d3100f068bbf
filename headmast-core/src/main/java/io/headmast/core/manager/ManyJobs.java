// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobOutcome;
import io.headmast.core.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The same work on many jobs, at most {@value #MAX_UNDER_WAY} at once, until a limit of time. Each gets an outcome,
 * whatever becomes of the others: when the time is up, those under way are in doubt, and those whose turn had not come
 * are left alone and say so. Thread-safe.
 *
 * @param <T> one job, or its id
 */
final class ManyJobs<T> {
    /** Enough to fill the transactions that may be in flight, and the next ones. */
    static final int MAX_UNDER_WAY = 2 * SharedTxns.MAX_IN_FLIGHT * SharedTxns.MAX_SHARED;

    private static final Logger LOG = LoggerFactory.getLogger(ManyJobs.class);

    private final List<T> all;
    private final Function<T, String> id;
    private final Function<T, CompletableFuture<JobOutcome>> work;
    private final CompletableFuture<List<JobOutcome>> outcomes = new CompletableFuture<>();

    // Guarded by this.
    private final @Nullable JobOutcome[] known;
    private int begun;
    private int ended;
    private boolean beginning;
    private boolean over;

    private ManyJobs(List<T> all, Function<T, String> id, Function<T, CompletableFuture<JobOutcome>> work) {
        this.all = all;
        this.id = id;
        this.work = work;
        this.known = new JobOutcome[all.size()];
    }

    /**
     * Does the work.
     *
     * @param work what is done with each; a {@link HeadmastException} that it fails with becomes its outcome
     * @return one outcome for each, in order
     */
    static <T> CompletableFuture<List<JobOutcome>> run(
            EventLoop time,
            Duration limit,
            List<T> all,
            Function<T, String> id,
            Function<T, CompletableFuture<JobOutcome>> work) {
        ManyJobs<T> many = new ManyJobs<>(all, id, work);
        if (all.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        EventLoop.Timer timer = time.schedule(limit, many::timeIsUp);
        var unused = many.outcomes.whenComplete((outcomes, failure) -> timer.cancel());
        many.goOn();
        return many.outcomes;
    }

    /** One thread at a time begins work; what ends at once therefore doesn't nest, however much there is of it. */
    private void goOn() {
        if (!mayBegin()) {
            return;
        }
        for (int at = next(); at >= 0; at = next()) {
            int index = at;
            var unused = start(all.get(index))
                    .whenComplete((outcome, failure) -> end(index, outcomeOf(index, outcome, failure)));
        }
    }

    private synchronized boolean mayBegin() {
        boolean may = !beginning;
        beginning = true;
        return may;
    }

    private synchronized int next() {
        if (over || begun == known.length || begun - ended >= MAX_UNDER_WAY) {
            beginning = false;
            return -1;
        }
        return begun++;
    }

    private CompletableFuture<JobOutcome> start(T one) {
        try {
            return work.apply(one);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void end(int index, JobOutcome outcome) {
        boolean complete;
        synchronized (this) {
            known[index] = outcome;
            ended++;
            complete = !over && ended == known.length;
            over |= complete;
        }
        if (complete) {
            tell();
        } else {
            goOn();
        }
    }

    private void timeIsUp() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        tell();
    }

    private void tell() {
        List<JobOutcome> told = new ArrayList<>(known.length);
        synchronized (this) {
            for (int i = 0; i < known.length; i++) {
                JobOutcome outcome = known[i];
                told.add(outcome != null ? outcome : failed(i, i < begun ? inDoubt() : notBegun()));
            }
        }
        outcomes.complete(told);
    }

    private JobOutcome outcomeOf(int index, @Nullable JobOutcome outcome, @Nullable Throwable failure) {
        if (outcome != null) {
            return outcome;
        }
        Throwable cause = failure == null ? new IllegalStateException("no outcome") : SharedTxns.causeOf(failure);
        if (cause instanceof HeadmastException expected) {
            return failed(index, expected);
        }
        LOG.error("one of many jobs failed in an unforeseen way job={}", id.apply(all.get(index)), cause);
        return failed(index, new HeadmastException.Internal("unexpected failure; the server's log says more"));
    }

    private JobOutcome failed(int index, HeadmastException failure) {
        return JobOutcome.failed(Optional.of(id.apply(all.get(index))), failure);
    }

    private static HeadmastException inDoubt() {
        return new HeadmastException.Indeterminate(
                "no answer from the store in time: it may or may not have been done; look before you repeat it");
    }

    private static HeadmastException notBegun() {
        return new HeadmastException.Unavailable("its turn did not come in time; nothing was changed, send it again");
    }
}
