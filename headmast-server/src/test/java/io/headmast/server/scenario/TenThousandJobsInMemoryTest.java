// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.store.memory.MvccStore;
import java.time.Duration;

/** Very many jobs on the store in this process. */
class TenThousandJobsInMemoryTest extends TenThousandJobsScenario {
    private final ThreadLoop loop = new ThreadLoop("store");
    private final MvccStore store = new MvccStore(loop);

    @Override
    CountingStore connect(Duration latency) {
        return new CountingStore(store, false, latency);
    }

    @Override
    void closeStore() {
        store.close();
        loop.close();
    }
}
