// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd of one node, or one of the members of an {@link EtcdCluster}, on free ports of the loopback interface, with its data in a temporary directory.
 *
 * <p>It is the binary that the environment variable {@code HEADMAST_TEST_ETCD} names, or {@code etcd} on the path or in
 * the usual places, or else a container, if there is a Docker engine. Where there is none of these, the test that asks
 * is skipped, and the end of the run says so; with {@code -Dheadmast.etcd=required} it fails.
 *
 * <p>Tests that disturb their etcd {@link #start} one and close it; others use the {@link #shared} one, each under a key
 * prefix of its own. Whatever is left when the JVM ends is ended with it.
 */
public final class EtcdServer implements AutoCloseable {
    /** etcd elects itself within about a second; a loaded machine may need much longer. */
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    /** A port that was free may be taken before etcd listens on it. */
    static final int START_ATTEMPTS = 3;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private static @Nullable EtcdServer shared;

    final EtcdHost host;

    EtcdServer(EtcdHost host) {
        this.host = host;
    }

    /** The etcd that tests share which do not disturb it: they neither stop it nor compact it. */
    public static synchronized EtcdServer shared() {
        if (shared == null) {
            shared = start();
        }
        return shared;
    }

    /**
     * Starts an etcd and waits until it is healthy.
     *
     * @param flags further command-line flags
     */
    public static EtcdServer start(String... flags) {
        for (int attempt = 1; ; attempt++) {
            var server = new EtcdServer(EtcdHost.find(Arrays.asList(flags)));
            try {
                server.host.start();
                server.awaitHealth();
                return server;
            } catch (AssertionError e) {
                server.close();
                if (attempt == START_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Where it serves clients: {@code http://127.0.0.1:<port>}. */
    public String endpoint() {
        return "http://127.0.0.1:" + clientPort();
    }

    public int clientPort() {
        return host.ports().client();
    }

    /** Ends it at once, as a crash would: nothing is flushed, no connection is closed in order. */
    public void kill9() {
        host.kill();
    }

    /** Freezes it: connections stay open and nothing answers. */
    public void pause() {
        host.pause();
    }

    /** Ends a {@link #pause}. */
    public void resume() {
        host.resume();
    }

    /** Starts it again, after {@link #kill9} or by ending it now, on the same data and ports; waits until it is healthy. */
    public void restart() {
        host.kill();
        host.start();
        awaitHealth();
    }

    /** Runs {@code etcdctl} against it and returns its output; the test is skipped if there is no etcdctl. */
    public String etcdctl(String... arguments) {
        List<String> command = new ArrayList<>(etcdctlAt(endpoint()));
        command.addAll(Arrays.asList(arguments));
        return Processes.output(command);
    }

    /** The beginning of a command line of {@code etcdctl} for an endpoint; the test is skipped if there is no etcdctl. */
    public static List<String> etcdctlAt(String endpoint) {
        return List.of(EtcdHost.etcdctl(), "--endpoints", endpoint);
    }

    /** What it has logged. */
    public String log() {
        return host.log();
    }

    /** Ends it and removes its data. */
    @Override
    public void close() {
        host.remove();
    }

    /** Waits until it serves: after a start, or after a {@link #resume}. */
    public void awaitHealth() {
        Await.until("etcd is healthy", START_LIMIT, this::log, () -> {
            if (!host.alive()) {
                throw new AssertionError("etcd ended: " + log());
            }
            return healthy();
        });
    }

    private boolean healthy() {
        var request = HttpRequest.newBuilder(URI.create(endpoint() + "/health"))
                .timeout(Duration.ofSeconds(2))
                .build();
        try {
            String body =
                    HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return body.contains("\"health\":\"true\"");
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted", e));
        }
    }
}
