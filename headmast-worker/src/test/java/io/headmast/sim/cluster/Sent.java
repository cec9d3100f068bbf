// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.core.store.Txn;

/** A transaction that a process sent. */
public final class Sent {
    private final ClusterProcess process;
    private final Txn txn;
    private final long number;
    private final long knew;
    private final long at;
    private long unknownSince = Long.MAX_VALUE;

    /**
     * @param number counts the transactions of all processes in the order they were sent
     * @param at when it was sent, by the time that all share
     */
    Sent(ClusterProcess process, Txn txn, long number, long at) {
        this.process = process;
        this.txn = txn;
        this.number = number;
        this.knew = process.knows();
        this.at = at;
    }

    public ClusterProcess process() {
        return process;
    }

    public Txn txn() {
        return txn;
    }

    public long at() {
        return at;
    }

    /** The revision that the process's mirror had come to when it sent this. */
    public long knew() {
        return knew;
    }

    /** Its process is told that nobody knows what became of it, after so many were sent in all. */
    void isUnknown(long after) {
        unknownSince = after;
    }

    public boolean wasUnknown() {
        return unknownSince != Long.MAX_VALUE;
    }

    /** Whether it was sent when its process knew already that nobody knows what became of that one. */
    public boolean goesOnAfter(Sent doubtful) {
        return number > doubtful.unknownSince;
    }
}
