// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import java.time.Duration;

/** Very many jobs on the store in this process. */
class TenThousandJobsInMemoryTest extends TenThousandJobsScenario {
    private final InMemoryStore memory = new InMemoryStore();

    @Override
    CountingStore connect(Duration latency) {
        return memory.connect(latency);
    }

    @Override
    void closeStore() {
        memory.close();
    }
}
