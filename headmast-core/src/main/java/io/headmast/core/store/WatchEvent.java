// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

/** One change of one key. */
public sealed interface WatchEvent {
    String key();

    /** The revision of the change. */
    long revision();

    record Put(KeyValue current) implements WatchEvent {
        @Override
        public String key() {
            return current.key();
        }

        @Override
        public long revision() {
            return current.modRevision();
        }
    }

    record Delete(String key, long revision) implements WatchEvent {}
}
