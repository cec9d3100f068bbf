// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** A worker's decisions, pure: what it should run beside what it runs, and the tasks that follow. */
@NullMarked
package io.headmast.core.agent;

import org.jspecify.annotations.NullMarked;
