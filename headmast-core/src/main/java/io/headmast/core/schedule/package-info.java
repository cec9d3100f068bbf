// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** Gather, decide, act: the leader's loop, who leads, and how what was decided is committed. */
@NullMarked
package io.headmast.core.schedule;

import org.jspecify.annotations.NullMarked;
