// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.core.store.KeyValueStore;

/** Watching on the store in this process. */
class WatchInMemoryTest extends WatchScenarios {
    private final InMemoryStore memory = new InMemoryStore();

    @Override
    KeyValueStore connect() {
        return memory.connect();
    }

    @Override
    void closeStore() {
        memory.close();
    }
}
