// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

/**
 * What a policy remembers from one choice to the next; it belongs to one scheduler and starts empty with every leader,
 * so nothing may depend on it but evenness. The seed's kept the index of the worker scheduled last; ids are used here
 * because an index means another worker after each join.
 */
public final class ScheduleContext {
    private String lastScheduledWorker = "";

    /** The worker chosen last; empty before the first choice, which sorts before every id. */
    public String lastScheduledWorker() {
        return lastScheduledWorker;
    }

    /** The same, to try a choice without remembering it. */
    public ScheduleContext copy() {
        ScheduleContext copy = new ScheduleContext();
        copy.lastScheduledWorker = lastScheduledWorker;
        return copy;
    }

    public void scheduled(String workerId) {
        lastScheduledWorker = workerId;
    }
}
