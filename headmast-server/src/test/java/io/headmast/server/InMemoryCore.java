// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.ClusterView;
import io.headmast.api.Server;
import io.headmast.core.manager.ClusterReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A whole core in memory, for tests of what stands before it. */
final class InMemoryCore {
    final StoreFault fault = new StoreFault();
    final InMemoryJobs jobs = new InMemoryJobs(fault);
    final InMemoryWorkers workers = new InMemoryWorkers(fault);
    final InMemoryFeed feed = new InMemoryFeed();
    final AtomicBoolean ready = new AtomicBoolean(true);
    final AtomicBoolean closed = new AtomicBoolean();

    Core core() {
        return new Core(jobs, workers, new Cluster(), feed, () -> closed.set(true));
    }

    private final class Cluster implements ClusterReader {
        @Override
        public CompletableFuture<ClusterView> cluster() {
            Server self = new Server("s-1", "i-1", "http://127.0.0.1:4430", Instant.EPOCH);
            return fault.answer(() -> new ClusterView(
                    List.of(self),
                    Optional.of(self),
                    "roundbin",
                    4711,
                    new ClusterView.Counts(jobs.ids().size(), 0, jobs.ids().size(), 0),
                    "ok"));
        }

        @Override
        public boolean isReady() {
            return ready.get();
        }
    }
}
