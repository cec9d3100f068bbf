// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import io.headmast.api.Payload;

/**
 * A key with its value and history, as of one revision.
 *
 * @param createRevision the revision at which the key came into being (since its last deletion)
 * @param modRevision the revision of its last put
 * @param version the number of puts since its creation
 * @param lease the lease it goes away with, 0 for none
 */
public record KeyValue(String key, Payload value, long createRevision, long modRevision, long version, long lease) {}
