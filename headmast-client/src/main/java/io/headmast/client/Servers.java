// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The servers of the cluster, and which of them answered last. Thread-safe. */
final class Servers {
    private final List<URI> all;
    private volatile URI lastGood;

    Servers(List<URI> all) {
        this.all = List.copyOf(all);
        this.lastGood = all.get(0);
    }

    /** All of them, in their order, beginning with the one that answered last. */
    List<URI> round() {
        List<URI> round = new ArrayList<>(all);
        Collections.rotate(round, -all.indexOf(lastGood));
        return round;
    }

    void answered(URI server) {
        lastGood = server;
    }

    /** It has broken off what it was at: another one is asked first, unless one has answered meanwhile. */
    void left(URI server) {
        if (server.equals(lastGood)) {
            lastGood = all.get((all.indexOf(server) + 1) % all.size());
        }
    }

    @Override
    public String toString() {
        return all.toString();
    }
}
