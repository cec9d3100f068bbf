// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * HTTP on the JDK's server with a bound on everything: connections, headers, bodies, time, and requests under way. What
 * is served is a {@link io.headmast.server.http.Router} of endpoints that know nothing of exchanges and threads.
 */
@NullMarked
package io.headmast.server.http;

import org.jspecify.annotations.NullMarked;
