// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.ClusterView;
import io.headmast.core.plan.ClusterState;
import io.headmast.core.schedule.ClusterMirror;
import java.util.concurrent.CompletableFuture;

/** Reads about the cluster from the server's mirror. */
public final class MirrorClusterReader implements ClusterReader {
    private final ClusterMirror mirror;
    private final String policy;

    /** @param policy the name of this server's policy */
    public MirrorClusterReader(ClusterMirror mirror, String policy) {
        this.mirror = mirror;
        this.policy = policy;
    }

    @Override
    public CompletableFuture<ClusterView> cluster() {
        return mirror.read(0, () -> {
            ClusterState state = mirror.state();
            return new ClusterView(
                    mirror.servers(),
                    mirror.leader().map(ClusterMirror.Leader::server),
                    policy,
                    mirror.revision(),
                    new ClusterView.Counts(
                            state.recordCount(), state.placedCount(), state.pendingCount(), state.liveWorkerCount()),
                    mirror.isFollowing() ? "following" : "listing");
        });
    }

    @Override
    public boolean isReady() {
        return mirror.isFollowing();
    }
}
