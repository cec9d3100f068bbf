// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import io.headmast.api.JobView;
import io.headmast.api.Names;
import io.headmast.api.Phase;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.EtcdServer;
import io.headmast.server.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers and workers as processes of their own on a real etcd of their own, and a client in this one. */
final class ProcessCluster implements AutoCloseable {
    /** Two busy cores make leases of less than 5 s lapse by themselves. */
    static final Duration TTL = Duration.ofSeconds(5);

    static final Duration LIMIT = Duration.ofSeconds(60);

    final EtcdServer etcd = EtcdServer.start();
    final Journals journals = new Journals();
    private final String prefix = "/test/" + Names.random();
    private final Path directory;
    private final String endpoint;
    private final Map<String, ChildJvm> children = new TreeMap<>();
    private final Map<String, Integer> ports = new TreeMap<>();
    private final List<HeadmastClient> clients = new ArrayList<>();
    private final AtomicInteger files = new AtomicInteger();

    ProcessCluster(Path directory) {
        this.directory = directory;
        this.endpoint = etcd.endpoint();
    }

    /** Starts a server; one of the same id gets the same port again. */
    void server(String id, String... more) {
        int port = ports.computeIfAbsent(id, name -> freePort());
        List<String> arguments = new ArrayList<>(List.of(
                "--etcd-endpoints",
                endpoint,
                "--prefix",
                prefix,
                "--port",
                Integer.toString(port),
                "--server-id",
                id,
                "--schedule-policy",
                "balance",
                "--lease-ttl",
                TTL.toSeconds() + "s"));
        arguments.addAll(List.of(more));
        children.put(id, ChildJvm.start(Main.class, directory.resolve(id + ".log"), arguments));
    }

    void worker(String id) {
        worker(id, endpoint);
    }

    /** A worker that reaches etcd by another way. */
    void worker(String id, String by) {
        Path journal = directory.resolve(id + ".journal");
        journals.add(id, journal);
        children.put(
                id,
                ChildJvm.start(
                        JournalingWorker.class,
                        directory.resolve(id + ".log"),
                        List.of(
                                by,
                                prefix,
                                id,
                                Long.toString(TTL.toMillis()),
                                directory.resolve(id + ".data").toString(),
                                journal.toString())));
    }

    /** Runs a main class with a log of its own. */
    ChildJvm run(Class<?> main, String... arguments) {
        return ChildJvm.start(main, directory.resolve("run-" + files.incrementAndGet() + ".log"), List.of(arguments));
    }

    ChildJvm child(String id) {
        return children.get(id);
    }

    /** Kills a worker, and notes when it was gone. */
    void killWorker(String id) {
        journals.died(id, child(id).kill9());
    }

    String prefix() {
        return prefix;
    }

    /** A client of these servers, once the first of them answers. */
    HeadmastClient client(String... servers) {
        List<URI> addresses = new ArrayList<>();
        for (String server : servers) {
            addresses.add(URI.create("http://127.0.0.1:" + ports.get(server)));
        }
        HeadmastClient client =
                HeadmastClient.create(ClientOptions.builder().servers(addresses).build());
        clients.add(client);
        Await.until("a server answers", LIMIT, this::logs, () -> answers(client));
        return client;
    }

    static boolean answers(HeadmastClient client) {
        try {
            client.cluster();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Waits until that many jobs run, by their own account. */
    void awaitRunning(int count) {
        Await.until(
                count + " jobs run",
                LIMIT,
                () -> journals.running().size() + " run\n" + logs(),
                () -> journals.running().size() == count);
    }

    /** Waits until the servers show that many jobs as running. */
    static void awaitReported(HeadmastClient client, int count) {
        Await.until(
                count + " are reported as running", LIMIT, () -> epochs(client).size() == count);
    }

    /** The epochs of the running jobs as the servers show them. */
    static Map<String, Long> epochs(HeadmastClient client) {
        Map<String, Long> epochs = new TreeMap<>();
        for (JobView view : client.getJobs()) {
            if (view.state().phase() == Phase.RUNNING) {
                epochs.put(view.job().id(), view.state().epoch());
            }
        }
        return epochs;
    }

    String logs() {
        StringBuilder logs = new StringBuilder();
        children.forEach(
                (id, child) -> logs.append("--- ").append(id).append('\n').append(tail(child.log())));
        return logs.toString();
    }

    private static String tail(String log) {
        return log.substring(Math.max(0, log.length() - 3000));
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        clients.forEach(HeadmastClient::close);
        children.values().forEach(ChildJvm::close);
        etcd.close();
    }
}
