// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.core.store.etcd.JetcdOptions;
import io.headmast.core.store.etcd.JetcdStore;
import io.headmast.core.testing.EtcdServer;
import java.time.Duration;

/** Very many jobs on a real etcd. */
class TenThousandJobsOnEtcdTest extends TenThousandJobsScenario {
    private final EtcdServer etcd = EtcdServer.shared();

    @Override
    CountingStore connect(Duration latency) {
        return new CountingStore(new JetcdStore(JetcdOptions.of(etcd.endpoint())), true, latency);
    }
}
