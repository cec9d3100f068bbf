// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** Single-threaded ownership of mutable state: a serial executor with a clock of its own. */
@NullMarked
package io.headmast.core.loop;

import org.jspecify.annotations.NullMarked;
