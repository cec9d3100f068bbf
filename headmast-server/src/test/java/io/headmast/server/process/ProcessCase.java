// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import io.headmast.core.testing.EtcdServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What tests with processes have in common: an etcd and a cluster for each test, whose logs stay when it fails. */
abstract class ProcessCase {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    EtcdServer etcd;
    ProcessCluster cluster;

    @BeforeEach
    void startEtcd() {
        etcd = EtcdServer.start();
        cluster = new ProcessCluster(directory, etcd.endpoint());
    }

    @AfterEach
    void endProcesses() {
        cluster.close();
        etcd.close();
    }
}
