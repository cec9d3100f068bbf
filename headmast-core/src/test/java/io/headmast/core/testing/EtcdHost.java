// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** What an {@link EtcdServer} runs on. */
interface EtcdHost {
    /** The reason that skipped tests give; {@link EtcdReport} counts by it. */
    String NO_ETCD = "needs an etcd binary or a Docker engine";

    record Ports(int client, int peer) {
        /** Two ports that are free at this moment. */
        static Ports free() {
            try (var one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    var two = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return new Ports(one.getLocalPort(), two.getLocalPort());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    Ports ports();

    void start();

    boolean alive();

    void kill();

    void pause();

    void resume();

    String log();

    /** Ends it if it runs, and removes all it left. */
    void remove();

    /** The best host there is; without any, the calling test is skipped or fails. */
    static EtcdHost find(List<String> flags) {
        Optional<Path> binary = binary("etcd", "HEADMAST_TEST_ETCD");
        if (binary.isPresent()) {
            return member(binary.get(), Ports.free(), List.of(), flags);
        }
        if (EtcdInDocker.available()) {
            return new EtcdInDocker(Ports.free(), flags);
        }
        return missing();
    }

    /**
     * The hosts of an etcd of several members. Only processes can be that: without the binary the calling test is
     * skipped or fails, whether there is a Docker engine or not.
     */
    static List<EtcdHost> findMembers(int count, List<String> flags) {
        Optional<Path> binary = binary("etcd", "HEADMAST_TEST_ETCD");
        if (binary.isEmpty()) {
            return List.of(missing());
        }
        List<Ports> ports = Stream.generate(Ports::free).limit(count).toList();
        return ports.stream()
                .<EtcdHost>map(own -> member(binary.get(), own, ports, flags))
                .toList();
    }

    private static EtcdProcess member(Path binary, Ports own, List<Ports> members, List<String> flags) {
        List<String> all = new ArrayList<>(members.isEmpty() ? EtcdFlags.of(own) : EtcdFlags.of(own, members));
        all.addAll(flags);
        return new EtcdProcess(binary, own, all);
    }

    /** Skips the calling test, or fails it where etcd is required. */
    private static EtcdHost missing() {
        if (System.getProperty("headmast.etcd", "auto").equals("required")) {
            throw new IllegalStateException("this test " + NO_ETCD + ", and headmast.etcd is \"required\"");
        }
        return Assumptions.abort(NO_ETCD);
    }

    /** The {@code etcdctl} beside the etcd, or on the path. */
    static String etcdctl() {
        return binary("etcdctl", "HEADMAST_TEST_ETCDCTL")
                .map(Path::toString)
                .orElseGet(() -> Assumptions.abort("needs etcdctl"));
    }

    private static Optional<Path> binary(String name, String variable) {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        Stream<String> onPath = Stream.of(path.split(":", -1)).map(directory -> directory + "/" + name);
        Stream<String> usual = Stream.of("/usr/bin/" + name, "/usr/local/bin/" + name);
        return Stream.of(Stream.ofNullable(System.getenv(variable)), onPath, usual)
                .flatMap(candidates -> candidates)
                .map(Path::of)
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .findFirst();
    }
}
