// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import java.util.Optional;

/** The workers that may have one job now: an ordered, indexed view that is valid during the choice only. */
public interface Candidates {
    /** The first by {@link Candidate#BY_UTILISATION}; O(log W) when nothing but domain and capacity decides. */
    Optional<Candidate> leastUtilised();

    /** The first by id after {@code workerId}, which need not be a candidate, wrapping around; O(log W) likewise. */
    Optional<Candidate> nextAfter(String workerId);

    /** Whether that worker may have the job. */
    boolean contains(String workerId);

    /** All of them by ascending id; linear. */
    Iterable<Candidate> inIdOrder();
}
