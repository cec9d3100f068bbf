// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.util.Arrays;
import java.util.List;

/** A real etcd of three members on free ports of the loopback interface, each with its data in a temporary directory. */
public final class EtcdCluster implements AutoCloseable {
    private static final int MEMBERS = 3;

    private final List<EtcdServer> members;

    private EtcdCluster(List<EtcdServer> members) {
        this.members = members;
    }

    /**
     * Starts three members and waits until all are healthy. Needs an etcd binary; without one the test that asks is
     * skipped or fails, as {@link EtcdServer} says.
     *
     * @param flags further command-line flags, for each
     */
    public static EtcdCluster start(String... flags) {
        for (int attempt = 1; ; attempt++) {
            var cluster = new EtcdCluster(EtcdHost.findMembers(MEMBERS, Arrays.asList(flags)).stream()
                    .map(EtcdServer::new)
                    .toList());
            try {
                // None is healthy before most of them run.
                cluster.members.forEach(member -> member.host.start());
                cluster.members.forEach(EtcdServer::awaitHealth);
                return cluster;
            } catch (AssertionError e) {
                cluster.close();
                if (attempt == EtcdServer.START_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    public List<EtcdServer> members() {
        return members;
    }

    @Override
    public void close() {
        members.forEach(EtcdServer::close);
    }
}
