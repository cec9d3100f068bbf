// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** What the daemons share: where their settings come from. The only package that needs picocli. */
@NullMarked
package io.headmast.worker.daemon;

import org.jspecify.annotations.NullMarked;
