// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Machine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Describes the machine that this process runs on. */
final class LocalMachine {
    private static final List<Path> ID_FILES = List.of(Path.of("/etc/machine-id"), Path.of("/var/lib/dbus/machine-id"));

    private LocalMachine() {}

    static Machine describe(Map<String, String> metadata, String publicIp) {
        String host = hostname();
        String version =
                Objects.requireNonNullElse(LocalMachine.class.getPackage().getImplementationVersion(), "development");
        return new Machine(
                id(host),
                host,
                publicIp,
                metadata,
                version,
                Runtime.getRuntime().availableProcessors(),
                memoryBytes());
    }

    private static String id(String host) {
        for (Path file : ID_FILES) {
            try {
                String id = Files.readString(file).strip();
                if (!id.isEmpty()) {
                    return id;
                }
            } catch (IOException e) {
                // Not every system has each of these files; the host name has to do then.
            }
        }
        return host;
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static long memoryBytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith("MemTotal:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Only Linux tells it this way; 0 stands for unknown.
        }
        return 0;
    }
}
