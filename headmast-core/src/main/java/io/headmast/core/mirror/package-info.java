// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** Gather: local copies of parts of the store, kept up to date by list and watch. */
@NullMarked
package io.headmast.core.mirror;

import org.jspecify.annotations.NullMarked;
