// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.etcd.JetcdOptions;
import io.headmast.core.store.etcd.JetcdStore;
import io.headmast.core.testing.EtcdServer;

/** Watching on a real etcd. */
class WatchOnEtcdTest extends WatchScenarios {
    private final EtcdServer etcd = EtcdServer.shared();

    @Override
    KeyValueStore connect() {
        return new JetcdStore(JetcdOptions.of(etcd.endpoint()));
    }
}
