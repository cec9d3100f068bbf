// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.Names;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Ids for servers that were given none. */
final class ServerIds {
    private static final int MAX_HOST = 64;
    private static final int RANDOM_DIGITS = 8;

    private ServerIds() {}

    /** The host's name, for people, and a random part, since several servers may run there. */
    static String random() {
        String host = hostName().replaceAll("[^A-Za-z0-9._\\-]", "-");
        String brief = host.substring(0, Math.min(host.length(), MAX_HOST));
        return brief + "-" + Names.random().substring(0, RANDOM_DIGITS);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            // A host that can't resolve its own name is common in containers, and no reason to fail.
            return "server";
        }
    }
}
