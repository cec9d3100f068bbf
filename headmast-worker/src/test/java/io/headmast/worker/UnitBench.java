// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Job;
import io.headmast.core.agent.Ending;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** A unit manager with real threads, whose events are kept in the order they came. */
final class UnitBench implements UnitManager.Events, AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(20);

    final HandlerUnitManager units;
    final AtomicBoolean leaseIsSafe = new AtomicBoolean(true);

    /** What happened, each such as {@code started j@1}. */
    final List<String> events = new CopyOnWriteArrayList<>();

    final List<Ending> endings = new CopyOnWriteArrayList<>();

    private UnitBench(HandlerUnitManager.Handlers handlers) {
        units = new HandlerUnitManager(handlers);
    }

    static UnitBench of(JobHandler handler) {
        return of(handler, 100, LIMIT);
    }

    static UnitBench of(JobHandler handler, int most, Duration stopPatience) {
        return new UnitBench(new HandlerUnitManager.Handlers(
                Map.of(HeadmastWorker.ANY_DOMAIN, handler), Map.of(), most, stopPatience));
    }

    static UnitBench of(LifecycleHandler handler) {
        return new UnitBench(
                new HandlerUnitManager.Handlers(Map.of(), Map.of(HeadmastWorker.ANY_DOMAIN, handler), 1, LIMIT));
    }

    void start(String jobId, long epoch) {
        Job job = Samples.job(jobId);
        units.start(new JobContext.Run(job, "w", epoch, 1), leaseIsSafe::get, this);
    }

    /** Waits until something happened. */
    void await(String event) {
        Await.until(event, LIMIT, () -> events, () -> events.contains(event));
    }

    Ending onlyEnding() {
        Await.until("an end", LIMIT, () -> events, () -> !endings.isEmpty());
        if (endings.size() != 1) {
            throw new AssertionError("more than one end: " + events);
        }
        return endings.get(0);
    }

    @Override
    public void started(String jobId, long epoch) {
        events.add("started " + jobId + "@" + epoch);
    }

    @Override
    public void progressed(String jobId, long epoch, String text) {
        events.add("progressed " + jobId + "@" + epoch + " " + text);
    }

    @Override
    public void stuck(String jobId, long epoch, String reason) {
        events.add("stuck " + jobId + "@" + epoch + " " + reason);
    }

    @Override
    public void ended(String jobId, long epoch, Ending ending) {
        endings.add(ending);
        events.add("ended " + jobId + "@" + epoch + " " + ending.kind());
    }

    @Override
    public void close() {
        units.close();
    }
}
