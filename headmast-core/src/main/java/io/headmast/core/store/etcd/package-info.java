// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * The store that is an etcd cluster, reached through jetcd. Nothing else in headmast knows jetcd or gRPC.
 */
@NullMarked
package io.headmast.core.store.etcd;

import org.jspecify.annotations.NullMarked;
