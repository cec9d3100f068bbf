// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import io.headmast.api.Cordon;
import io.headmast.api.Worker;
import java.util.Optional;

/**
 * What placement knows of a live worker.
 *
 * @param used the weight placed on it
 */
public record WorkerFacts(Worker registration, long used, Optional<Cordon> cordon) {
    /** The same as a policy sees it. */
    public Candidate candidate() {
        return new Candidate(
                registration.id(),
                used,
                registration.capacity(),
                registration.load().orElse(0));
    }
}
