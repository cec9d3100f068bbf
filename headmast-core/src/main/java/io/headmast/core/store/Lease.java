// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import java.time.Duration;

/**
 * A lease as granted or renewed.
 *
 * @param ttl the TTL that the store granted, which may exceed the one asked for
 */
public record Lease(long id, Duration ttl) {}
