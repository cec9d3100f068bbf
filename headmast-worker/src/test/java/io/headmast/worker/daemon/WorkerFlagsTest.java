// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.worker.WorkerContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line of the worker's daemon, up to the moment it would start. */
class WorkerFlagsTest {
    private final Map<String, String> environment = new HashMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<WorkerContext> started = new ArrayList<>();

    @TempDir
    Path directory;

    @Test
    void withoutFlagsTheDefaultsHold() {
        WorkerContext context = context();

        assertEquals(WorkerContext.builder().build(), context);
        assertEquals(List.of("http://127.0.0.1:2379"), context.etcdEndpoints());
        assertEquals(Duration.ofSeconds(10), context.leaseTtl());
    }

    @Test
    void everyFlagReachesTheContext() {
        WorkerContext context = context(
                "--etcd-endpoints=a:1, b:2",
                "--worker-id=w1",
                "--data-dir=/var/lib/headmast",
                "--domains=eu, us",
                "--capacity=7",
                "--metadata=region=eu,disk=a=b",
                "--public-ip=192.0.2.1",
                "--lease-ttl=1m",
                "--prefix=/team/headmast");

        assertEquals(List.of("a:1", "b:2"), context.etcdEndpoints());
        assertEquals(Optional.of("w1"), context.workerId());
        assertEquals(Optional.of(Path.of("/var/lib/headmast")), context.dataDir());
        assertEquals(Set.of("eu", "us"), context.domains());
        assertEquals(OptionalLong.of(7), context.capacity());
        assertEquals(Map.of("region", "eu", "disk", "a=b"), context.metadata());
        assertEquals("192.0.2.1", context.publicIp());
        assertEquals(Duration.ofMinutes(1), context.leaseTtl());
        assertEquals("/team/headmast", context.prefix());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd-endpoints",
                "worker-id",
                "data-dir",
                "domains",
                "capacity",
                "metadata",
                "public-ip",
                "lease-ttl",
                "prefix",
                "config"
            })
    void helpTellsEachFlagWithItsVariable(String name) {
        assertEquals(DaemonCommand.OK, run("--help"));

        assertTrue(out.toString().contains("--" + name + "="), name);
        assertTrue(out.toString().contains(ConfigDefaults.environmentName("--" + name)), name);
    }

    @Test
    void flagGoesBeforeTheEnvironmentAndThatBeforeTheFile() throws IOException {
        Path file = Files.writeString(
                directory.resolve("worker.properties"), "worker-id=file\ncapacity=1\nlease-ttl=3s\nprefix=/file\n");
        environment.put("HEADMAST_CONFIG", file.toString());
        environment.put("HEADMAST_WORKER_ID", "environment");
        environment.put("HEADMAST_CAPACITY", "not even a number");
        environment.put("HEADMAST_LEASE_TTL", "");

        WorkerContext context = context("--capacity", "2");

        assertEquals(OptionalLong.of(2), context.capacity());
        assertEquals(Optional.of("environment"), context.workerId());
        assertEquals(Duration.ofSeconds(3), context.leaseTtl());
        assertEquals("/file", context.prefix());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--worker-ids x       | '--worker-ids' is not known; did you mean --worker-id?",
                "--capacity           | Missing required parameter for option '--capacity' (N); see --help",
                "--capacity many      | --capacity must be a whole number (it is 'many')",
                "--capacity 0         | --capacity must be at least 1; leave it out for no limit (it is '0')",
                "--lease-ttl 1s       | --lease-ttl must lie between 2s and 1h (it is '1s')",
                "--lease-ttl soon     | --lease-ttl must be a duration such as 500ms, 10s, 1m30s, 2h or 7d (it is 'soon')",
                "--metadata region    | --metadata must look like region=eu,disk=ssd (it is 'region')",
                "--metadata =eu       | --metadata must look like region=eu,disk=ssd (it is '=eu')",
                "--prefix x           | --prefix must look like /headmast or /team/headmast (it is 'x')",
                "--worker-id a/b      | --worker-id must be 1 to 128 characters of A-Z a-z 0-9 . _ - @ : ~, and not '.' or '..' (it is 'a/b')",
                "--domains a,,b       | --domains must be 1 to 128 characters of A-Z a-z 0-9 . _ - @ : ~, and not '.' or '..' (it is 'a,,b')",
                "--config /nowhere    | can't read the configuration /nowhere: there is no such file"
            })
    void wrongUsageIsOneLineThatNamesTheFlag(String arguments, String message) {
        assertEquals(DaemonCommand.USAGE, run(arguments.split(" ", -1)));

        assertEquals("headmast worker: " + message, err.toString().strip());
        assertEquals(List.of(), started);
    }

    @Test
    void wrongValueSaysWhereItCameFrom() throws IOException {
        Path file = Files.writeString(directory.resolve("worker.properties"), "capacity=many");
        assertEquals(DaemonCommand.USAGE, run("--config", file.toString()));
        assertEquals(
                "headmast worker: --capacity must be a whole number (from capacity in " + file + ")",
                err.toString().strip());
    }

    @Test
    void misspeltSettingInTheFileIsNotIgnored() throws IOException {
        Path file = Files.writeString(directory.resolve("worker.properties"), "workerid=w");

        assertEquals(DaemonCommand.USAGE, run("--config", file.toString()));

        assertTrue(err.toString().contains("'workerid' is not known; there are: capacity, data-dir"), err::toString);
    }

    private WorkerContext context(String... arguments) {
        assertEquals(DaemonCommand.OK, run(arguments), err::toString);
        return started.get(0);
    }

    private int run(String... arguments) {
        DaemonCommand<WorkerContext> command = new DaemonCommand<>("headmast worker", WorkerFlags::new, context -> {
            started.add(context);
            return new DaemonCommand.Daemon() {
                @Override
                public void run() {}

                @Override
                public void close() {}
            };
        });
        return command.run(
                new DaemonCommand.Surroundings(environment, new PrintWriter(out, true), new PrintWriter(err, true)),
                arguments);
    }
}
