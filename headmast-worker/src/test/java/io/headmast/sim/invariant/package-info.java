// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** What must hold in a simulated cluster whatever goes wrong, one class for each. */
@NullMarked
package io.headmast.sim.invariant;

import org.jspecify.annotations.NullMarked;
