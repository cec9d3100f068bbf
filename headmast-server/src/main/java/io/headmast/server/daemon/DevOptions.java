// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import io.headmast.api.HeadmastException;
import io.headmast.server.ServingOptions;

/**
 * How a whole headmast in one process is set up. Every instance is valid.
 *
 * @param port where REST is served; 0 for any that is free
 * @param etcdPort where the store is served; 0 for any that is free
 * @param workers how many worker daemons run
 * @param schedulePolicy see {@link ServingOptions}
 */
record DevOptions(int port, int etcdPort, int workers, String schedulePolicy) {
    static final int DEFAULT_ETCD_PORT = 2379;
    static final int DEFAULT_WORKERS = 1;

    /** What one process can reasonably carry. */
    static final int MAX_WORKERS = 100;

    private static final int MAX_PORT = 65_535;

    /** @throws HeadmastException.Invalid naming the option that is at fault */
    DevOptions {
        if (etcdPort < 0 || etcdPort > MAX_PORT) {
            throw new HeadmastException.Invalid("etcdPort", "must lie between 0 and " + MAX_PORT);
        }
        if (workers < 0 || workers > MAX_WORKERS) {
            throw new HeadmastException.Invalid("workers", "must lie between 0 and " + MAX_WORKERS);
        }
        schedulePolicy = ServingOptions.builder()
                .port(port)
                .schedulePolicy(schedulePolicy)
                .build()
                .schedulePolicy();
    }
}
