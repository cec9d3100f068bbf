// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * The embedded store: the engine of this process behind etcd's v3 gRPC API, on the loopback interface. What a client of
 * etcd 3.4 can tell apart is as there, to the texts of errors.
 */
@NullMarked
package io.headmast.server.embedded;

import org.jspecify.annotations.NullMarked;
