// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import java.time.Duration;
import java.util.List;

/**
 * A lease as it stands.
 *
 * @param granted the TTL that was granted
 * @param remaining until it lapses, unless it is renewed
 * @param keys attached to it, ascending
 */
public record LeaseView(long id, Duration granted, Duration remaining, List<String> keys) {
    public LeaseView {
        keys = List.copyOf(keys);
    }
}
