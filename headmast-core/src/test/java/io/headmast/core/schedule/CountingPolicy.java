// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import io.headmast.api.Job;
import io.headmast.core.policy.Candidates;
import io.headmast.core.policy.RoundbinPolicy;
import io.headmast.core.policy.ScheduleContext;
import io.headmast.core.policy.SchedulePolicy;
import java.util.Optional;

/** Roundbin that counts how often it is asked. */
final class CountingPolicy implements SchedulePolicy {
    private final SchedulePolicy policy = new RoundbinPolicy();
    long choices;

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public Optional<String> choose(Job job, Candidates candidates, ScheduleContext context) {
        choices++;
        return policy.choose(job, candidates, context);
    }
}
