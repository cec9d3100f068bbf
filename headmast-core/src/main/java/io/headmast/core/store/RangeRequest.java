// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

/**
 * A read of a range.
 *
 * @param range which keys
 * @param limit the most keys to return, 0 for all
 * @param revision the revision to read at, 0 for the latest (linearizable)
 */
public record RangeRequest(KeyRange range, long limit, long revision) {
    public static RangeRequest of(KeyRange range) {
        return new RangeRequest(range, 0, 0);
    }

    public static RangeRequest key(String key) {
        return of(KeyRange.key(key));
    }
}
