// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.server.daemon.DevCommand;
import io.headmast.server.daemon.ServerCommand;
import io.headmast.worker.daemon.DaemonCommand;
import java.util.Arrays;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The entry of the runnable jar. */
public final class Main {
    /** gRPC reports to java.util.logging what transports it did not find; kept here, or the level would be forgotten. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private static final String DEV = "dev";

    private Main() {}

    /**
     * Runs a server, or with {@code dev} as the first argument a whole headmast, until it is told to stop, by SIGTERM or
     * SIGINT.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        GRPC.setLevel(Level.WARNING);
        DaemonCommand.Surroundings process = DaemonCommand.Surroundings.ofProcess();
        boolean dev = args.length > 0 && args[0].equals(DEV);
        int code = dev
                ? DevCommand.command(process.out()).run(process, Arrays.copyOfRange(args, 1, args.length))
                : ServerCommand.command().run(process, args);
        if (code != DaemonCommand.OK) {
            System.exit(code);
        }
    }
}
