// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Job;
import io.headmast.core.agent.Ending;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job as its handler sees it. Thread-safe: a handler may pass it to threads of its own.
 *
 * <p>The <b>epoch</b> is the run's fencing token: it grows with every placement of the job. A process that was frozen
 * can't know that its job was given to another worker meanwhile; a resource that refuses writes with an epoch lower than
 * the highest it has seen is safe all the same.
 */
public final class JobContext {
    private static final int MAX_TEXT = 1024;

    private final Job job;
    private final String workerId;
    private final long epoch;
    private final int attempt;
    private final BooleanSupplier leaseIsSafe;
    private final Signals signals;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private volatile @Nullable String cancelReason;
    private volatile @Nullable Integer exit;

    /** Where what a handler says goes. */
    record Signals(Consumer<String> progress, Consumer<Ending> ended) {}

    JobContext(Run run, BooleanSupplier leaseIsSafe, Signals signals) {
        this.job = run.job();
        this.workerId = run.workerId();
        this.epoch = run.epoch();
        this.attempt = run.attempt();
        this.leaseIsSafe = leaseIsSafe;
        this.signals = signals;
    }

    /** What is run. */
    record Run(Job job, String workerId, long epoch, int attempt) {}

    /** The job's record as it was when this run began. */
    public Job job() {
        return job;
    }

    /** The worker this runs on. */
    public String workerId() {
        return workerId;
    }

    /** The fencing token. */
    public long epoch() {
        return epoch;
    }

    /** Counts the starts within the job's generation, from 1. */
    public int attempt() {
        return attempt;
    }

    /**
     * Whether this run may act at this moment: it was not cancelled, and the worker's lease is known to hold. Ask before
     * anything that must not happen twice and can't be fenced by the epoch.
     */
    public boolean isOwner() {
        return !isCancelled() && holdsLease();
    }

    /** Whether the run must end. */
    public boolean isCancelled() {
        return cancelled.getCount() == 0;
    }

    /** Whether the worker's lease is known to hold. If a run is cancelled because it doesn't, it must end at once. */
    public boolean holdsLease() {
        return leaseIsSafe.getAsBoolean();
    }

    /** Why the run must end; empty while it need not. */
    public Optional<String> cancelReason() {
        return Optional.ofNullable(cancelReason);
    }

    /**
     * Waits until the run must end, at most that long.
     *
     * @return whether it must
     */
    public boolean awaitCancellation(Duration limit) throws InterruptedException {
        return cancelled.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Tells users how far the job is; shown as {@code progress} in its state. Only the latest is written, soon, and not
     * guaranteed; longer texts are cut at 1,024 characters.
     */
    public void progress(String text) {
        signals.progress().accept(legible(text));
    }

    /** The exit code to show in the job's state once it has ended. */
    public void exit(int code) {
        exit = code;
    }

    /**
     * A life-cycle job ended by itself, successfully. Has no effect when it ended before or must stop already, nor for a
     * {@link JobHandler}, which says so by returning.
     */
    public void complete() {
        signals.ended().accept(new Ending(Ending.Kind.COMPLETED, "completed", exitCode()));
    }

    /**
     * A life-cycle job ended by itself with an error; otherwise like {@link #complete()}.
     *
     * @param reason shown in the job's state; cut at 1,024 characters
     */
    public void fail(String reason) {
        signals.ended().accept(new Ending(Ending.Kind.FAILED, legible(reason), exitCode()));
    }

    /**
     * A text as it may go into the store: one report too large would hold up all that are sent with it; and a cut may
     * halve a character, as may a handler, which then has no form in UTF-8.
     */
    static String legible(String text) {
        String some = text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
        return new String(some.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    Optional<Integer> exitCode() {
        return Optional.ofNullable(exit);
    }

    void cancel(String reason) {
        if (cancelReason == null) {
            cancelReason = reason;
        }
        cancelled.countDown();
    }
}
