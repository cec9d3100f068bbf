// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done now.
 *
 * @param steps in no particular order: each is safe alone
 * @param problems what went wrong while planning, for the log
 * @param retryAt when planning again may find more although nothing changed
 */
public record Plan(List<Step> steps, List<String> problems, Optional<Instant> retryAt) {
    public Plan {
        steps = List.copyOf(steps);
        problems = List.copyOf(problems);
    }
}
