// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.json.DurationText;
import io.headmast.server.ServingOptions;
import io.headmast.worker.daemon.DaemonCommand;
import io.headmast.worker.daemon.DaemonVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The server's flags; the seed's {@code AddFlags}. Every value is a text here, so that one that is overridden need not
 * make sense, and one that makes none can be reported with the place it came from.
 */
@Command(
        name = "headmast server",
        description = "Answers the REST interface, and schedules jobs on etcd. Any number may run side by side.",
        mixinStandardHelpOptions = true,
        versionProvider = DaemonVersion.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        footer = {
            "",
            "A flag goes before the environment, that before the file. The file has a line such as",
            "lease-ttl=10s for each setting.",
            "",
            "Exit codes: 1 failed, 2 wrong usage, 143 and 130 stopped by SIGTERM and SIGINT."
        })
final class ServerFlags implements DaemonCommand.Flags<ServingOptions> {
    @Option(
            names = "--etcd-endpoints",
            paramLabel = "ADDRESS[,ADDRESS...]",
            description = {
                "Where etcd is reached.",
                "Default: " + ServingOptions.DEFAULT_ENDPOINT + ". Environment: HEADMAST_ETCD_ENDPOINTS."
            })
    private @Nullable String etcdEndpoints;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = {
                "The address to listen on; the default lets only this machine in, 0.0.0.0 lets everyone in.",
                "Default: " + ServingOptions.DEFAULT_HOST + ". Environment: HEADMAST_HOST."
            })
    private @Nullable String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = {
                "The port to listen on; 0 for any that is free.",
                "Default: " + ServingOptions.DEFAULT_PORT + ". Environment: HEADMAST_PORT."
            })
    private @Nullable String port;

    @Option(
            names = "--schedule-policy",
            paramLabel = "NAME",
            description = {
                "How a worker is chosen: roundbin (also round-robin), one after the other; or balance, the least"
                        + " loaded.",
                "Default: " + ServingOptions.DEFAULT_POLICY + ". Environment: HEADMAST_SCHEDULE_POLICY."
            })
    private @Nullable String schedulePolicy;

    @Option(
            names = "--server-id",
            paramLabel = "ID",
            description = {
                "A name of its own for this server.",
                "Default: the host's name and a random part. Environment: HEADMAST_SERVER_ID."
            })
    private @Nullable String serverId;

    @Option(
            names = "--lease-ttl",
            paramLabel = "DURATION",
            description = {
                "How long this server is believed alive without a sign of life, 2s to 1h.",
                "Default: 10s. Environment: HEADMAST_LEASE_TTL."
            })
    private @Nullable String leaseTtl;

    @Option(
            names = "--prefix",
            paramLabel = "PATH",
            description = {
                "What every key in etcd begins with; clusters with different prefixes don't see each other.",
                "Default: " + Keys.DEFAULT_PREFIX + ". Environment: HEADMAST_PREFIX."
            })
    private @Nullable String prefix;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = {"A properties file with settings.", "Default: none. Environment: HEADMAST_CONFIG."})
    private @Nullable String config;

    @Override
    public Optional<String> config() {
        return Optional.ofNullable(config);
    }

    @Override
    public ServingOptions toOptions() {
        ServingOptions.Builder options = ServingOptions.builder();
        given(etcdEndpoints).ifPresent(text -> options.etcdEndpoints(list(text)));
        given(host).ifPresent(options::host);
        given(port).ifPresent(text -> options.port(number("port", text)));
        given(schedulePolicy).ifPresent(options::schedulePolicy);
        given(serverId).ifPresent(options::serverId);
        given(leaseTtl).ifPresent(text -> options.leaseTtl(DurationText.parse("leaseTtl", text)));
        given(prefix).ifPresent(options::prefix);
        return options.build();
    }

    private static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).map(String::strip);
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    private static int number(String name, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new HeadmastException.Invalid(name, "must be a whole number");
        }
    }
}
