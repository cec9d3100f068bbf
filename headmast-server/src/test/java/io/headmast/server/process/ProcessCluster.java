// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import io.headmast.api.JobView;
import io.headmast.api.Names;
import io.headmast.api.Phase;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import io.headmast.core.testing.Await;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Servers and workers as processes of their own on a real etcd, and clients in this one. Thread-safe. */
public final class ProcessCluster implements AutoCloseable {
    /** Two busy cores make leases of less than 5 s lapse by themselves. */
    public static final Duration TTL = Duration.ofSeconds(5);

    public static final Duration LIMIT = Duration.ofSeconds(60);

    public final Journals journals = new Journals();
    private final String prefix = "/test/" + Names.random();
    private final Path directory;
    private final String endpoints;
    private final Map<String, ChildJvm> children = new ConcurrentSkipListMap<>();
    private final Map<String, Integer> ports = new ConcurrentSkipListMap<>();
    private final Map<String, Setting> settings = new ConcurrentHashMap<>();
    private final List<HeadmastClient> clients = new CopyOnWriteArrayList<>();
    private final AtomicInteger files = new AtomicInteger();

    /** @param endpoints where etcd serves, separated by commas */
    public ProcessCluster(Path directory, String endpoints) {
        this.directory = directory;
        this.endpoints = endpoints;
    }

    /**
     * What is particular about one process.
     *
     * @param endpoints by which it reaches etcd
     * @param worker the main class, if it is a worker
     * @param environment variables on top of this process's own
     */
    public record Setting(String endpoints, Class<?> worker, Map<String, String> environment) {
        public Setting withEndpoints(String by) {
            return new Setting(by, worker, environment);
        }

        public Setting withWorker(Class<?> main) {
            return new Setting(endpoints, main, environment);
        }

        public Setting withEnvironment(Map<String, String> variables) {
            return new Setting(endpoints, worker, variables);
        }
    }

    /** What a process is started with. */
    public Setting setting(String id) {
        return settings.getOrDefault(id, new Setting(endpoints, JournalingWorker.class, Map.of()));
    }

    /** A process will be started so from now on. */
    public void set(String id, Setting setting) {
        settings.put(id, setting);
    }

    /** Starts a server; one of the same id gets the same port again. */
    public void server(String id, String... more) {
        Setting setting = setting(id);
        int port = ports.computeIfAbsent(id, name -> freePort());
        List<String> arguments = new ArrayList<>(List.of(
                "--etcd-endpoints",
                setting.endpoints(),
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
        children.put(id, ChildJvm.start(Main.class, directory.resolve(id + ".log"), arguments, setting.environment()));
    }

    public void worker(String id) {
        Setting setting = setting(id);
        Path journal = directory.resolve(id + ".journal");
        journals.add(id, journal);
        List<String> arguments = List.of(
                setting.endpoints(),
                prefix,
                id,
                Long.toString(TTL.toMillis()),
                directory.resolve(id + ".data").toString(),
                journal.toString());
        children.put(
                id, ChildJvm.start(setting.worker(), directory.resolve(id + ".log"), arguments, setting.environment()));
    }

    /** A worker that reaches etcd by another way. */
    void worker(String id, String by) {
        set(id, setting(id).withEndpoints(by));
        worker(id);
    }

    /** Runs a main class with a log of its own. */
    ChildJvm run(Class<?> main, String... arguments) {
        return ChildJvm.start(main, directory.resolve("run-" + files.incrementAndGet() + ".log"), List.of(arguments));
    }

    public ChildJvm child(String id) {
        return children.get(id);
    }

    /** Kills a worker, and notes when it was gone. */
    public void killWorker(String id) {
        long before = System.nanoTime();
        journals.died(id, before, child(id).kill9());
    }

    public String prefix() {
        return prefix;
    }

    /** Where a server that was started serves. */
    public URI address(String server) {
        return URI.create("http://127.0.0.1:" + ports.get(server));
    }

    /** A client of these servers, once the first of them answers. */
    public HeadmastClient client(String... servers) {
        List<URI> addresses = Stream.of(servers).map(this::address).toList();
        HeadmastClient client =
                HeadmastClient.create(ClientOptions.builder().servers(addresses).build());
        clients.add(client);
        Await.until("a server answers", LIMIT, this::logs, () -> answers(client));
        return client;
    }

    public static boolean answers(HeadmastClient client) {
        try {
            client.cluster();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Waits until that many jobs run, by their own account. */
    public void awaitRunning(int count) {
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

    public String logs() {
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
    }
}
