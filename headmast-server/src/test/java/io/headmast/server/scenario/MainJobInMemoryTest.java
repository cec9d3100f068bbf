// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.memory.MvccStore;

/** The main job on the store in this process. */
class MainJobInMemoryTest extends MainJobScenarios {
    private final ThreadLoop loop = new ThreadLoop("store");
    private final MvccStore store = new MvccStore(loop);

    @Override
    KeyValueStore connect() {
        return new SharedStore(store);
    }

    @Override
    void closeStore() {
        store.close();
        loop.close();
    }
}
