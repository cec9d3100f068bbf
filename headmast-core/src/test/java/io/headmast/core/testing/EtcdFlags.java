// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.util.List;
import java.util.stream.Collectors;

/** The command line of a member of an etcd. */
final class EtcdFlags {
    private EtcdFlags() {}

    /** The flags but the data directory, for a member that is alone. */
    static List<String> of(EtcdHost.Ports ports) {
        return of(ports, List.of(ports));
    }

    /** The same for one of several members; each is named by its place among them. */
    static List<String> of(EtcdHost.Ports ports, List<EtcdHost.Ports> members) {
        String client = "http://127.0.0.1:" + ports.client();
        return List.of(
                "--name",
                name(ports, members),
                "--listen-client-urls",
                client,
                "--advertise-client-urls",
                client,
                "--listen-peer-urls",
                peer(ports),
                "--initial-advertise-peer-urls",
                peer(ports),
                "--initial-cluster",
                members.stream()
                        .map(member -> name(member, members) + "=" + peer(member))
                        .collect(Collectors.joining(",")),
                "--logger",
                "zap",
                "--log-level",
                "error");
    }

    private static String name(EtcdHost.Ports ports, List<EtcdHost.Ports> members) {
        return "headmast" + members.indexOf(ports);
    }

    private static String peer(EtcdHost.Ports ports) {
        return "http://127.0.0.1:" + ports.peer();
    }
}
