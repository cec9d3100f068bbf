// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

/**
 * @param range which keys
 * @param fromRevision the first revision to deliver; may lie in the past (compaction permitting) or the future
 */
public record WatchRequest(KeyRange range, long fromRevision) {}
