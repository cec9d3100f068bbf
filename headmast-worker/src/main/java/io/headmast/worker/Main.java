// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.worker.daemon.DaemonCommand;
import io.headmast.worker.daemon.WorkerDaemon;

/** The entry of the runnable jar. */
public final class Main {
    private Main() {}

    /**
     * Runs a worker until it is told to stop, by SIGTERM or SIGINT.
     *
     * @param args see {@code --help}
     */
    public static void main(String[] args) {
        int code = WorkerDaemon.command().run(DaemonCommand.Surroundings.ofProcess(), args);
        if (code != DaemonCommand.OK) {
            System.exit(code);
        }
    }
}
