// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** How a program hands work to headmast and sees what becomes of it. */
@NullMarked
package io.headmast.examples.submit;

import org.jspecify.annotations.NullMarked;
