// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.core.testing.Samples;
import io.headmast.worker.JobContexts;
import java.time.Duration;
import java.util.Map;

/** A worker's process that runs one command, until it is killed. Arguments: the marker, the directory, the script. */
final class CommandOwner {
    private CommandOwner() {}

    public static void main(String[] args) throws Exception {
        CommandHandler handler =
                new CommandHandler(new UnitMarker(args[0]), Duration.ofMinutes(5), Duration.ofMillis(200));
        handler.run(new JobContexts(
                        Samples.job("j").toBuilder()
                                .payload(CommandBench.payload(Map.of(), args[1], "sh", "-c", args[2]))
                                .build(),
                        7)
                .context());
    }
}
