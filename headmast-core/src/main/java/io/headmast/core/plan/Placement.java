// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

/**
 * Where a run is placed.
 *
 * @param epoch the create revision of the assignment: the fencing token
 */
public record Placement(String workerId, long epoch) {}
