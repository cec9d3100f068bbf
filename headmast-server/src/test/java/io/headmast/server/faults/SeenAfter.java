// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.api.Keys;
import io.headmast.api.json.Json;
import io.headmast.core.store.WatchEvent;
import io.headmast.server.faults.check.Operation;
import io.headmast.server.faults.check.OperationLines;
import io.headmast.server.faults.kind.Aftermath;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** What the recorder and the clients saw in one stretch of time. */
final class SeenAfter implements Aftermath {
    /** A lease lapses up to its TTL after whatever kept it from being renewed, and a new leader needs to be elected. */
    private static final Duration GRACE = Duration.ofSeconds(8);

    private final Keys keys;
    private final List<StoreRecorder.Seen> history;
    private final List<String> lines;
    private final long from;
    private final long to;

    /** @param to when the fault was over */
    SeenAfter(Keys keys, List<StoreRecorder.Seen> history, List<String> lines, long from, long to) {
        this.keys = keys;
        this.history = history;
        this.lines = lines;
        this.from = from;
        this.to = to;
    }

    @Override
    public boolean registrationChanged(String worker) {
        return saw(change -> change.key().equals(keys.worker(worker)));
    }

    @Override
    public boolean leaderChanged() {
        return saw(change -> change.key().equals(keys.leader()) && change instanceof WatchEvent.Delete);
    }

    private boolean saw(Predicate<WatchEvent> what) {
        return history.stream()
                .filter(seen -> seen.at() >= from && seen.at() <= to + GRACE.toNanos())
                .anyMatch(seen -> seen.revision().changes().stream().anyMatch(what));
    }

    @Override
    public boolean clientsFelt(Duration wait) {
        return OperationLines.parse(lines).stream()
                .filter(operation -> operation.invoked() <= to && operation.returned() >= from)
                .filter(operation -> operation.invoked() >= from - GRACE.toNanos())
                .anyMatch(operation -> operation.outcome() instanceof Operation.Outcome.Failed
                        || operation.outcome() instanceof Operation.Outcome.Unknown
                        || operation.returned() - operation.invoked() > wait.toNanos());
    }

    @Override
    public boolean storeWasFull() {
        return lines.stream()
                .filter(line -> line.contains("storage-full"))
                .mapToLong(line -> Json.parseObject(line.getBytes(StandardCharsets.UTF_8))
                        .get("at")
                        .getAsLong())
                .anyMatch(at -> at >= from && at <= to);
    }

    /** How many changes were acknowledged while the fault lasted. */
    long acknowledged() {
        return OperationLines.parse(lines).stream()
                .filter(operation -> operation.kind() != Operation.Kind.READ && operation.isAcknowledged())
                .filter(operation -> operation.returned() >= from && operation.returned() <= to)
                .count();
    }
}
