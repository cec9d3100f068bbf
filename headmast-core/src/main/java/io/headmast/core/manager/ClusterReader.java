// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.ClusterView;
import java.util.concurrent.CompletableFuture;

/** Reads about the cluster as a whole. */
public interface ClusterReader {
    CompletableFuture<ClusterView> cluster();

    /** Whether this server has listed everything and follows the store now; for readiness checks, from any thread. */
    boolean isReady();
}
