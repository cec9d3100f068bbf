// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * The Java that the documents show, so that it compiles. {@link io.headmast.examples.docs.DocumentedCodeTest} looks that
 * nothing else is shown.
 */
package io.headmast.examples.docs;
