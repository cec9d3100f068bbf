// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** What users of a simulated cluster ask for, one class for each. */
@NullMarked
package io.headmast.sim.order;

import org.jspecify.annotations.NullMarked;
