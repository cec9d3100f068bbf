// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What tests with processes have in common: a cluster for each test, whose logs stay when it fails. */
abstract class ProcessCase {
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    ProcessCluster cluster;

    @BeforeEach
    void startEtcd() {
        cluster = new ProcessCluster(directory);
    }

    @AfterEach
    void endProcesses() {
        cluster.close();
    }
}
