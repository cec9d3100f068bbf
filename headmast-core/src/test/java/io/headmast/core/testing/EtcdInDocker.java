// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.etcd.jetcd.launcher.Etcd;
import io.etcd.jetcd.launcher.EtcdContainer;
import java.util.List;
import java.util.Objects;
import org.testcontainers.DockerClientFactory;

/**
 * An etcd in a container, started by jetcd's launcher. It keeps its port over a restart, since clients hold on to it.
 * The environment variable {@code HEADMAST_TEST_ETCD_IMAGE} names another image.
 */
final class EtcdInDocker implements EtcdHost {
    private static final String NODE = "headmast";

    private final Ports ports;
    private final EtcdContainer container;
    private boolean created;

    EtcdInDocker(Ports ports, List<String> flags) {
        this.ports = ports;
        container = new EtcdContainer(image(), NODE, List.of(NODE))
                .withShouldMountDataDirectory(false)
                .withAdditionalArgs(flags);
        container.setPortBindings(List.of("127.0.0.1:" + ports.client() + ":" + Etcd.ETCD_CLIENT_PORT));
    }

    /** Whether there is a Docker engine to talk to. */
    static boolean available() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @Override
    public Ports ports() {
        return ports;
    }

    @Override
    public synchronized void start() {
        if (created) {
            container.getDockerClient().startContainerCmd(id()).exec();
        } else {
            created = true;
            container.start();
        }
    }

    @Override
    public synchronized boolean alive() {
        return created && container.isRunning();
    }

    @Override
    public synchronized void kill() {
        if (alive()) {
            container.getDockerClient().killContainerCmd(id()).exec();
        }
    }

    @Override
    public void pause() {
        container.getDockerClient().pauseContainerCmd(id()).exec();
    }

    @Override
    public void resume() {
        container.getDockerClient().unpauseContainerCmd(id()).exec();
    }

    @Override
    public synchronized String log() {
        return created ? container.getLogs() : "";
    }

    /** Testcontainers' own reaper does it if this process dies first. */
    @Override
    public void remove() {
        container.close();
    }

    private String id() {
        return container.getContainerId();
    }

    private static String image() {
        return Objects.requireNonNullElse(System.getenv("HEADMAST_TEST_ETCD_IMAGE"), Etcd.CONTAINER_IMAGE);
    }
}
