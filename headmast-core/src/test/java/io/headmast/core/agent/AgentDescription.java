// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import java.util.Map;
import java.util.TreeMap;

/** What an agent takes for assigned to it, for tests of other packages. */
public final class AgentDescription {
    private AgentDescription() {}

    /** The epoch of each assignment to the worker by ascending job; 0 for one that another process holds. */
    public static Map<String, Long> assignments(AgentState state) {
        Map<String, Long> epochs = new TreeMap<>();
        for (String jobId : state.scheduledJobs()) {
            AgentState.Assigned assigned = state.assignmentOf(jobId);
            epochs.put(jobId, assigned == null ? 0 : assigned.epoch());
        }
        return epochs;
    }
}
