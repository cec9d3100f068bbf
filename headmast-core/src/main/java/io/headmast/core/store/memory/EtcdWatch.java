// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.KeyRange;

/**
 * What to watch, with everything that etcd's API has.
 *
 * @param fromRevision the first revision to deliver; 0 for the next there will be
 * @param withBefore whether each change tells what the key was before it
 */
public record EtcdWatch(KeyRange range, long fromRevision, boolean withBefore) {}
