// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** Commands and cached reads: what every server offers, whoever leads. */
@NullMarked
package io.headmast.core.manager;

import org.jspecify.annotations.NullMarked;
