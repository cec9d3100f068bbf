// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import io.headmast.server.ServingOptions;
import io.headmast.worker.daemon.DaemonVersion;
import io.headmast.worker.daemon.StoreFlags;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The server's flags; the seed's {@code AddFlags}. */
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
final class ServerFlags extends StoreFlags<ServingOptions> {
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
                "How a worker is chosen: roundbin (also round-robin), one after the other; balance, the least loaded;"
                        + " or the name of a policy in a jar that HEADMAST_CLASSPATH names.",
                "Default: " + ServingOptions.DEFAULT_POLICY + ". Environment: HEADMAST_SCHEDULE_POLICY."
            })
    private @Nullable String schedulePolicy;

    @Option(
            names = "--rebalance-rate",
            paramLabel = "NUMBER",
            description = {
                "With balance: how many running jobs a second move when a worker has room, 0 (none) to 1000.",
                "Default: " + ServingOptions.DEFAULT_REBALANCE_RATE + ". Environment: HEADMAST_REBALANCE_RATE."
            })
    private @Nullable String rebalanceRate;

    @Option(
            names = "--server-id",
            paramLabel = "ID",
            description = {
                "A name of its own for this server.",
                "Default: the host's name and a random part. Environment: HEADMAST_SERVER_ID."
            })
    private @Nullable String serverId;

    @Override
    public ServingOptions toOptions() {
        ServingOptions.Builder options = ServingOptions.builder();
        etcdEndpoints().ifPresent(options::etcdEndpoints);
        given(host).ifPresent(options::host);
        given(port).ifPresent(text -> options.port(integer("port", text)));
        given(schedulePolicy).ifPresent(options::schedulePolicy);
        given(rebalanceRate).ifPresent(text -> options.rebalanceRate(integer("rebalanceRate", text)));
        given(serverId).ifPresent(options::serverId);
        leaseTtl().ifPresent(options::leaseTtl);
        prefix().ifPresent(options::prefix);
        return options.build();
    }
}
