// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import io.headmast.core.plan.Step;
import java.util.concurrent.atomic.AtomicLong;

/** What a scheduler has committed since it began; written on its loop, read from any thread. */
public final class CommitCounters {
    private final AtomicLong transactions = new AtomicLong();
    private final AtomicLong steps = new AtomicLong();
    private final AtomicLong placed = new AtomicLong();
    private final AtomicLong stopped = new AtomicLong();
    private final AtomicLong removed = new AtomicLong();
    private final AtomicLong overtaken = new AtomicLong();

    void sent(int count) {
        transactions.incrementAndGet();
        steps.addAndGet(count);
    }

    void committed(Step step) {
        if (step instanceof Step.Place) {
            placed.incrementAndGet();
        } else if (step instanceof Step.Stop) {
            stopped.incrementAndGet();
        } else if (step instanceof Step.Remove) {
            removed.incrementAndGet();
        }
    }

    void overtaken() {
        overtaken.incrementAndGet();
    }

    /** Transactions sent. */
    public long transactions() {
        return transactions.get();
    }

    /** Steps sent in them. */
    public long steps() {
        return steps.get();
    }

    /** Placements committed. */
    public long placed() {
        return placed.get();
    }

    /** Kill orders committed. */
    public long stopped() {
        return stopped.get();
    }

    /** Jobs deleted for good. */
    public long removed() {
        return removed.get();
    }

    /** Steps whose facts no longer held. */
    public long notApplied() {
        return overtaken.get();
    }
}
