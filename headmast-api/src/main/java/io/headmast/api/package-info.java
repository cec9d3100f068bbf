// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * What every part of headmast agrees on: domain records (jobs, workers, orders, states), the one JSON encoding that
 * etcd and HTTP share, the family of errors, and the layout of keys.
 *
 * <p>Everything here is a value or a pure function: immutable, safe for use by any thread, without I/O, clock or
 * logger. No {@code null} crosses a method unless its type says so.
 */
@NullMarked
package io.headmast.api;

import org.jspecify.annotations.NullMarked;
