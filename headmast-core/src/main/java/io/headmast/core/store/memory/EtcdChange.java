// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.core.store.KeyValue;
import io.headmast.core.store.WatchEvent;
import java.util.Optional;

/**
 * A change of one key as a watch tells it.
 *
 * @param before what the key was, if the watch asked for that, it existed, and its history still tells
 */
public record EtcdChange(WatchEvent event, Optional<KeyValue> before) {}
