// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** The server as a program: its flags, what it prints, and its exit codes. */
@NullMarked
package io.headmast.server.daemon;

import org.jspecify.annotations.NullMarked;
