// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** The smallest application that runs jobs in its own process. */
@NullMarked
package io.headmast.examples.embed;

import org.jspecify.annotations.NullMarked;
