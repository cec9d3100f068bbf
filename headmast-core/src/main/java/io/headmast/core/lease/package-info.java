// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** Leases from their owner's side: renewing in time, and knowing when to stop. */
@NullMarked
package io.headmast.core.lease;

import org.jspecify.annotations.NullMarked;
