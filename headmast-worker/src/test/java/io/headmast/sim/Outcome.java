// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim;

import io.headmast.sim.cluster.Tally;
import java.util.List;
import java.util.Optional;

/**
 * What came of one seed.
 *
 * @param violation what must not have happened, if anything
 * @param events how many tasks ran
 * @param bit whether its faults changed anything: work was acknowledged, and a lease ended, a leader changed, or a worker
 *     had to stop everything
 * @param trace what happened, if that was written down
 */
record Outcome(long seed, Optional<String> violation, long events, boolean bit, Tally tally, List<String> trace) {}
