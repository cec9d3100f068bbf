// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * The client SDK over HTTP, and the command line built on it.
 *
 * <p>The SDK speaks to headmast servers alone and needs no connection to the store. Only calls that may be repeated
 * without harm are retried; a call whose outcome is unknown says so.
 */
@NullMarked
package io.headmast.client;

import org.jspecify.annotations.NullMarked;
