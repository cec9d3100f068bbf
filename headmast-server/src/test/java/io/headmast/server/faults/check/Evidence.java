// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;
import java.util.List;

/**
 * Everything that was written down of a run. All times are the machine's one monotonic clock, in nanoseconds.
 *
 * @param keys where the cluster lies in the store
 * @param operations what clients asked and were answered
 * @param store the store's whole history
 * @param last what the store held at its end
 * @param runs what ran where, by the jobs' own account
 * @param standstills when processes of workers stood still
 * @param commits what servers logged as committed
 */
public record Evidence(
        Keys keys,
        List<Operation> operations,
        List<Revision> store,
        List<KeyValue> last,
        List<Run> runs,
        List<Standstill> standstills,
        List<Commit> commits) {
    /** What a run that isn't over ends with. */
    public static final long GOES_ON = Long.MAX_VALUE;

    public Evidence {
        operations = List.copyOf(operations);
        store = List.copyOf(store);
        last = List.copyOf(last);
        runs = List.copyOf(runs);
        standstills = List.copyOf(standstills);
        commits = List.copyOf(commits);
    }

    /** One run of a job, from when it had started until it had stopped or its process was gone. */
    public record Run(String job, String worker, long epoch, long from, long to) {
        public boolean goesOn() {
            return to == GOES_ON;
        }
    }

    /**
     * A time in which nothing of a worker's process ran: it was frozen, or the machine gave it no time, as its own clock
     * shows.
     */
    public record Standstill(String worker, long from, long to) {}

    /** A step that a server's log tells of: it was answered that it had been committed at that revision. */
    public record Commit(String server, String step, String job, long revision) {}
}
