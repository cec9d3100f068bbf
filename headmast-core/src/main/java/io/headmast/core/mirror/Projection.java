// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import io.headmast.core.store.KeyValue;
import java.util.Optional;

/**
 * Turns a stored value into what the mirror keeps of it. Total: a value that can't be read becomes whatever stands for
 * that, or nothing, in which case the key counts as absent. Called on the mirror's loop.
 */
@FunctionalInterface
public interface Projection<V> {
    Optional<V> project(KeyValue keyValue);
}
