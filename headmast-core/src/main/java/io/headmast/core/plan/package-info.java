// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** Decide: what is known of the cluster, and what the leader does about it, as pure functions. */
@NullMarked
package io.headmast.core.plan;

import org.jspecify.annotations.NullMarked;
