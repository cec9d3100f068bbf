// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** What goes wrong in a simulated cluster, one class for each. */
@NullMarked
package io.headmast.sim.fault;

import org.jspecify.annotations.NullMarked;
