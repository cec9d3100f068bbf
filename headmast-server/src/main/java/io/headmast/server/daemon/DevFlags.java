// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import io.headmast.server.ServingOptions;
import io.headmast.worker.daemon.DaemonVersion;
import io.headmast.worker.daemon.SettingsFlags;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The flags of a whole headmast in one process. */
@Command(
        name = "headmast dev",
        description = {
            "Runs a store, a server and workers in one process, to try headmast and to develop with it.",
            "The store answers any client of etcd, and is reached from this machine only."
        },
        mixinStandardHelpOptions = true,
        versionProvider = DaemonVersion.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        footer = {"", "Exit codes: 1 failed, 2 wrong usage, 143 and 130 stopped by SIGTERM and SIGINT."})
final class DevFlags extends SettingsFlags<DevOptions> {
    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = {
                "The port of the REST interface; 0 for any that is free.",
                "Default: " + ServingOptions.DEFAULT_PORT + ". Environment: HEADMAST_PORT."
            })
    private @Nullable String port;

    @Option(
            names = "--etcd-port",
            paramLabel = "PORT",
            description = {
                "The port of the store; 0 for any that is free.",
                "Default: " + DevOptions.DEFAULT_ETCD_PORT + ". Environment: HEADMAST_ETCD_PORT."
            })
    private @Nullable String etcdPort;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = {
                "How many workers run, which are called dev-1, dev-2, ….",
                "Default: " + DevOptions.DEFAULT_WORKERS + ". Environment: HEADMAST_WORKERS."
            })
    private @Nullable String workers;

    @Option(
            names = "--schedule-policy",
            paramLabel = "NAME",
            description = {
                "How a worker is chosen; see headmast server --help.",
                "Default: " + ServingOptions.DEFAULT_POLICY + ". Environment: HEADMAST_SCHEDULE_POLICY."
            })
    private @Nullable String schedulePolicy;

    @Override
    public DevOptions toOptions() {
        return new DevOptions(
                number("port", port, ServingOptions.DEFAULT_PORT),
                number("etcdPort", etcdPort, DevOptions.DEFAULT_ETCD_PORT),
                number("workers", workers, DevOptions.DEFAULT_WORKERS),
                given(schedulePolicy).orElse(ServingOptions.DEFAULT_POLICY));
    }

    private static int number(String name, @Nullable String text, int byDefault) {
        return given(text).map(given -> integer(name, given)).orElse(byDefault);
    }
}
