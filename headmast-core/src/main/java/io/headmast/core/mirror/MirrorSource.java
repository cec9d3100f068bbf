// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;

/** What a mirror copies, and the loop that owns the copy. */
public record MirrorSource(KeyValueStore store, KeyRange range, EventLoop loop) {}
