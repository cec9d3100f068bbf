// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.memory.MvccStore;
import java.time.Duration;

/** Many jobs on the store in this process. */
class ManyJobsInMemoryTest extends ManyJobsScenarios {
    private final ThreadLoop loop = new ThreadLoop("store");
    private final MvccStore store = new MvccStore(loop);

    @Override
    KeyValueStore connect() {
        return new CountingStore(store, false, Duration.ZERO);
    }

    @Override
    void closeStore() {
        store.close();
        loop.close();
    }
}
