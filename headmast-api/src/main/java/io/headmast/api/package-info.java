/**
 * The domain of headmast as immutable values (jobs, workers, orders, states), their one JSON encoding, the layout of
 * their keys in etcd, and the family of expected failures. Everything here is thread-safe and does no I/O.
 */
@NullMarked
package io.headmast.api;

import org.jspecify.annotations.NullMarked;
