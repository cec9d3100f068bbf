// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** Bugs that are planted to see whether the simulation finds them, one class for each. None of it is in the product. */
@NullMarked
package io.headmast.sim.bug;

import org.jspecify.annotations.NullMarked;
