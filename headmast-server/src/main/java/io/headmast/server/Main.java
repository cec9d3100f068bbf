// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.server.daemon.ServerCommand;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** The entry of the runnable jar. */
public final class Main {
    private Main() {}

    /**
     * Runs a server until it is told to stop, by SIGTERM or SIGINT.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        int code = new ServerCommand(System.getenv(), writer(System.out), writer(System.err)).run(args);
        if (code != ServerCommand.OK) {
            System.exit(code);
        }
    }

    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }
}
