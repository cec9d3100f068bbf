// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * The port to etcd: what headmast asks of a store, and the values that go through. Adapters live in the packages below:
 * {@code etcd} speaks to a cluster, {@code memory} is an engine in this process.
 */
@NullMarked
package io.headmast.core.store;

import org.jspecify.annotations.NullMarked;
