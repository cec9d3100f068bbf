// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * An engine with etcd's semantics in this process: {@code MvccStore} is the door, behind it everything is synchronous,
 * single-threaded and deterministic. Revisions and history, leases, watches and transactions know nothing of each other
 * but what {@code MvccEngine} passes between them.
 */
@NullMarked
package io.headmast.core.store.memory;

import org.jspecify.annotations.NullMarked;
