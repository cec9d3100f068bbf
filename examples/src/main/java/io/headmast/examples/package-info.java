// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * Small programs, each showing one feature with the public types that an application has.
 *
 * <p>Each program runs by its own {@code main}; {@code examples/README.md} says how.
 */
@NullMarked
package io.headmast.examples;

import org.jspecify.annotations.NullMarked;
