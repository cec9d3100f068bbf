// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.server.ServingOptions;
import io.headmast.worker.daemon.ConfigDefaults;
import io.headmast.worker.daemon.DaemonCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ServerCommandTest {
    private final Map<String, String> environment = new HashMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @Test
    void helpTellsEachFlagWithItsDefaultAndItsVariable() {
        assertEquals(DaemonCommand.OK, run("--help"));

        for (String name : new String[] {
            "etcd-endpoints",
            "host",
            "port",
            "schedule-policy",
            "rebalance-rate",
            "server-id",
            "lease-ttl",
            "prefix",
            "config"
        }) {
            assertTrue(out.toString().contains("--" + name + "="), name);
            assertTrue(out.toString().contains(ConfigDefaults.environmentName("--" + name)), name);
        }
        for (String value :
                new String[] {"http://127.0.0.1:2379", "127.0.0.1", "4430", "roundbin", "20", "10s", "/headmast"}) {
            assertTrue(out.toString().contains("Default: " + value + "."), value);
        }
    }

    @Test
    void helpIsShownEvenWhenTheSettingsAreWrong() {
        environment.put("HEADMAST_CONFIG", "/nowhere");

        assertEquals(DaemonCommand.OK, run("--help"));
    }

    @Test
    void versionIsShown() {
        assertEquals(DaemonCommand.OK, run("--version"));
        assertTrue(out.toString().startsWith("headmast "), out.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--ectd-endpoints x   | '--ectd-endpoints' is not known; did you mean --etcd-endpoints?",
                "--prot=4431          | '--prot=4431' is not known; did you mean --port?",
                "--colour             | '--colour' is not known; see --help",
                "start                | 'start' is not known; see --help",
                "--port               | Missing required parameter for option '--port' (PORT); see --help",
                "--port many          | --port must be a whole number (it is 'many')",
                "--port 70000         | --port must lie between 0 and 65535 (it is '70000')",
                "--lease-ttl 1s       | --lease-ttl must lie between 2s and 1h (it is '1s')",
                "--schedule-policy up | --schedule-policy must be one of roundbin, balance (it is 'up')",
                "--rebalance-rate x   | --rebalance-rate must be a whole number (it is 'x')",
                "--rebalance-rate -1  | --rebalance-rate must lie between 0 and 1000 (it is '-1')",
                "--prefix x           | --prefix must look like /headmast or /team/headmast (it is 'x')",
                "--config /nowhere    | can't read the configuration /nowhere: there is no such file"
            })
    void wrongUsageIsOneLineThatSaysWhatToDo(String arguments, String message) {
        assertEquals(DaemonCommand.USAGE, run(arguments.split(" ")));

        assertEquals("headmast server: " + message, err.toString().strip());
    }

    @Test
    void wrongValueInTheEnvironmentSaysWhereItCameFrom() {
        environment.put("HEADMAST_LEASE_TTL", "1s");

        assertEquals(DaemonCommand.USAGE, run());

        assertEquals(
                "headmast server: --lease-ttl must lie between 2s and 1h (from HEADMAST_LEASE_TTL in the environment)",
                err.toString().strip());
    }

    @Test
    void wrongValueInTheFileSaysWhereItCameFrom() throws IOException {
        Path file = file("port=many");

        assertEquals(DaemonCommand.USAGE, run("--config", file.toString()));

        assertEquals(
                "headmast server: --port must be a whole number (from port in " + file + ")",
                err.toString().strip());
    }

    @Test
    void misspeltSettingInTheFileIsNotIgnored() throws IOException {
        assertEquals(DaemonCommand.USAGE, run("--config", file("leasettl=10s").toString()));

        assertTrue(err.toString().contains("'leasettl' is not known; there are: etcd-endpoints, host"), err.toString());
    }

    @Test
    void flagGoesBeforeTheEnvironmentAndThatBeforeTheFile() throws IOException {
        Path file = file("host=file\nport=1\nlease-ttl=3s\nprefix=/file\nrebalance-rate=3");
        environment.put("HEADMAST_HOST", "environment");
        environment.put("HEADMAST_REBALANCE_RATE", "0");
        environment.put("HEADMAST_PORT", "not even a number");
        environment.put("HEADMAST_LEASE_TTL", "");
        environment.put("HEADMAST_CONFIG", file.toString());

        ServingOptions options = options("--port", "2");

        assertEquals(2, options.port());
        assertEquals("environment", options.host());
        assertEquals("/file", options.prefix());
        assertEquals(0, options.rebalanceRate());
        assertEquals(3, options.leaseTtl().toSeconds());
        assertEquals(ServingOptions.DEFAULT_POLICY, options.schedulePolicy());
    }

    @Test
    void endpointsAreSeparatedByCommas() {
        assertEquals(2, options("--etcd-endpoints", "a:1, b:2").etcdEndpoints().size());
    }

    @Test
    void takenPortIsOneLineThatSaysWhichFlag() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertEquals(DaemonCommand.FAILED, run("--port", Integer.toString(taken.getLocalPort())));

            assertEquals(1, err.toString().lines().count(), err.toString());
            assertTrue(err.toString().contains(taken.getLocalPort() + " (Address already in use)"), err.toString());
            assertTrue(err.toString().contains("--port"), err.toString());
            assertFalse(err.toString().contains("Exception"), err.toString());
        }
    }

    @Test
    void storeThatCannotBeReachedIsOneLineThatSaysWhichFlag() {
        assertEquals(DaemonCommand.FAILED, run("--port", "0", "--etcd-endpoints", "127.0.0.1:1"));

        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(err.toString().contains("127.0.0.1:1"), err.toString());
        assertTrue(err.toString().contains("--etcd-endpoints"), err.toString());
    }

    private int run(String... arguments) {
        DaemonCommand.Surroundings at =
                new DaemonCommand.Surroundings(environment, new PrintWriter(out, true), new PrintWriter(err, true));
        return ServerCommand.command().run(at, arguments);
    }

    private ServingOptions options(String... arguments) {
        ServerFlags flags = new ServerFlags();
        new CommandLine(flags)
                .setDefaultValueProvider(ConfigDefaults.read(environment, Optional.empty()))
                .parseArgs(arguments);
        return flags.toOptions();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("headmast.properties"), text);
    }
}
