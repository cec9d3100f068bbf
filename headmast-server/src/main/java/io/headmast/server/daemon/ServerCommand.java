// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import io.headmast.server.HeadmastService;
import io.headmast.server.ServingOptions;
import io.headmast.worker.daemon.DaemonCommand;

/** The command {@code headmast server}. */
public final class ServerCommand {
    private ServerCommand() {}

    /** Makes the command, which may be run more than once. */
    public static DaemonCommand<ServingOptions> command() {
        return new DaemonCommand<>("headmast server", ServerFlags::new, Serving::new);
    }

    private static final class Serving implements DaemonCommand.Daemon {
        private final HeadmastService service;

        Serving(ServingOptions options) {
            service = new HeadmastService(options);
        }

        @Override
        public void run() throws InterruptedException {
            service.run();
        }

        @Override
        public void close() {
            service.close();
        }
    }
}
