// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import io.headmast.worker.daemon.DaemonCommand;
import java.io.PrintWriter;

/** The command {@code headmast dev}. */
public final class DevCommand {
    private DevCommand() {}

    /**
     * Makes the command, which may be run more than once.
     *
     * @param out where it says what runs and what to try
     */
    public static DaemonCommand<?> command(PrintWriter out) {
        return new DaemonCommand<>("headmast dev", DevFlags::new, options -> new DevDaemon(options, out));
    }
}
