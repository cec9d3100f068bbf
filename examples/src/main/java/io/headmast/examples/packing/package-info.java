// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** A schedule policy of one's own, which a server finds on its class path. */
@NullMarked
package io.headmast.examples.packing;

import org.jspecify.annotations.NullMarked;
