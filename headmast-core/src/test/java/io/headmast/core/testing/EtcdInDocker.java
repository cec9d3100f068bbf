// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * An etcd in a container, driven by the {@code docker} command: unlike jetcd's launcher it keeps its ports over a
 * restart, and can be killed and paused. The environment variable {@code HEADMAST_TEST_ETCD_IMAGE} names another image.
 */
final class EtcdInDocker implements EtcdHost {
    private static final String IMAGE = "quay.io/coreos/etcd:v3.4.34";

    private final String name = "headmast-etcd-" + UUID.randomUUID();
    private final Ports ports;
    private final List<String> flags;
    private final Thread atExit = new Thread(this::end, "etcd-at-exit");
    private boolean created;

    EtcdInDocker(Ports ports, List<String> flags) {
        this.ports = ports;
        this.flags = flags;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Whether there is a Docker engine to talk to. */
    static boolean available() {
        return Processes.succeeds(List.of("docker", "version", "--format", "{{.Server.Version}}"));
    }

    @Override
    public Ports ports() {
        return ports;
    }

    @Override
    public synchronized void start() {
        if (created) {
            docker("start", name);
            return;
        }
        String port = Integer.toString(ports.client());
        List<String> arguments = new ArrayList<>(
                List.of("run", "-d", "--name", name, "-p", "127.0.0.1:" + port + ":" + port, image(), "etcd"));
        arguments.addAll(List.of("--data-dir", "/data.etcd"));
        arguments.addAll(EtcdFlags.of(ports, "0.0.0.0"));
        arguments.addAll(flags);
        created = true;
        docker(arguments.toArray(String[]::new));
    }

    @Override
    public synchronized boolean alive() {
        return created && docker("inspect", "-f", "{{.State.Running}}", name).contains("true");
    }

    @Override
    public synchronized void kill() {
        if (alive()) {
            docker("kill", name);
        }
    }

    @Override
    public void pause() {
        docker("pause", name);
    }

    @Override
    public void resume() {
        docker("unpause", name);
    }

    @Override
    public synchronized String log() {
        return created ? docker("logs", name) : "";
    }

    @Override
    public void remove() {
        end();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }

    private synchronized void end() {
        if (created) {
            docker("rm", "-f", "-v", name);
            created = false;
        }
    }

    private static String image() {
        return Objects.requireNonNullElse(System.getenv("HEADMAST_TEST_ETCD_IMAGE"), IMAGE);
    }

    private static String docker(String... arguments) {
        List<String> command = new ArrayList<>(List.of("docker"));
        command.addAll(List.of(arguments));
        return Processes.output(command);
    }
}
