// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.core.manager.ClusterReader;
import io.headmast.core.manager.JobFeed;
import io.headmast.core.manager.JobManager;
import io.headmast.core.manager.WorkerManager;
import java.net.URI;

/**
 * What a server serves: the managers, and what runs behind them.
 *
 * @param shutdown ends what runs behind them, and gives up leadership and the server's announcement; called once, after
 *     the last request
 */
record Core(JobManager jobs, WorkerManager workers, ClusterReader cluster, JobFeed feed, Runnable shutdown)
        implements AutoCloseable {
    /** Opens a core for a server; the one place where the store behind it is chosen. */
    @FunctionalInterface
    interface Factory {
        /**
         * Connects, and starts what runs by itself.
         *
         * @param address where this server is reached, for its announcement
         * @throws io.headmast.api.HeadmastException.Unavailable if the store can't be reached
         */
        Core open(ServingOptions options, URI address);
    }

    /** The same, with a last thing to do when it is closed. */
    Core closing(Runnable last) {
        return new Core(jobs, workers, cluster, feed, () -> {
            shutdown.run();
            last.run();
        });
    }

    @Override
    public void close() {
        shutdown.run();
    }
}
