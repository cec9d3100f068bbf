// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

/**
 * A mirrored key: its projected value and what is needed to compare it in a transaction.
 *
 * @param lease the lease it goes away with, 0 for none
 */
public record Entry<V>(V value, long createRevision, long modRevision, long lease) {}
