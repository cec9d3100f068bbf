// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.core.testing.EtcdCluster;
import io.headmast.core.testing.EtcdServer;
import io.headmast.server.faults.kind.Members;
import java.util.List;

/** What kind of etcd a run has. */
enum Topology {
    SINGLE {
        @Override
        Members start() {
            return new Members(List.of(EtcdServer.start(QUOTA)));
        }
    },
    THREE_MEMBERS {
        @Override
        Members start() {
            return new Members(EtcdCluster.start(QUOTA).members());
        }
    };

    /** Little enough to be filled in a moment, and far more than a run needs. */
    private static final String QUOTA = "--quota-backend-bytes=" + (16 << 20);

    /** The topology of a seed. */
    static Topology of(long seed) {
        return values()[(int) (seed % values().length)];
    }

    /** The how-manieth run with this topology that is, if runs begin with 0 and go on one by one. */
    long turn(long seed) {
        return seed / values().length;
    }

    /** A fresh etcd. */
    abstract Members start();
}
