// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * The seeded simulation: servers, workers and a client around one store in virtual time, under orders and faults at
 * random, with every invariant checked at every event. What runs is the production code; only time, the way to the store,
 * and handlers are simulated.
 */
@NullMarked
package io.headmast.sim;

import org.jspecify.annotations.NullMarked;
