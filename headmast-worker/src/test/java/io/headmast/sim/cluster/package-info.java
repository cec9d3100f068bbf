// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** What a simulated cluster is made of: the store and its true history, processes and the ways between them, and the client. */
@NullMarked
package io.headmast.sim.cluster;

import org.jspecify.annotations.NullMarked;
