// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** The REST interface under {@code /api/v1}: what each path does with the managers of the core. */
@NullMarked
package io.headmast.server.rest;

import org.jspecify.annotations.NullMarked;
