// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.util.List;

/** The command line of a single-node etcd. */
final class EtcdFlags {
    private EtcdFlags() {}

    /**
     * The flags but the data directory.
     */
    static List<String> of(EtcdHost.Ports ports) {
        String peer = "http://127.0.0.1:" + ports.peer();
        return List.of(
                "--name",
                "headmast",
                "--listen-client-urls",
                "http://127.0.0.1:" + ports.client(),
                "--advertise-client-urls",
                "http://127.0.0.1:" + ports.client(),
                "--listen-peer-urls",
                peer,
                "--initial-advertise-peer-urls",
                peer,
                "--initial-cluster",
                "headmast=" + peer,
                "--logger",
                "zap",
                "--log-level",
                "error");
    }
}
