// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * Fixtures that the tests of every module share: time that tests control, a real etcd, a network that fails on demand.
 */
@NullMarked
package io.headmast.core.testing;

import org.jspecify.annotations.NullMarked;
