// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.api.HeadmastException;
import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Lease;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.store.Watch;
import io.headmast.core.store.WatchListener;
import io.headmast.core.store.WatchRequest;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process's way to the store. Requests and answers travel apart, and what the {@link Weather} says becomes of them. A
 * call whose answer doesn't come fails after {@link #CALL_LIMIT}, writes with {@code Indeterminate} and reads with {@code
 * Unavailable}, as the port says. What arrives while its process stands still waits, and nothing arrives at one that has
 * ended; but what it sent before is still carried out.
 */
final class Link implements KeyValueStore {
    static final Duration CALL_LIMIT = Duration.ofSeconds(1);

    private static final long LATE_NANOS = Duration.ofSeconds(7).toNanos();

    private final World world;
    private final ClusterProcess process;
    private final Weather weather;

    Link(World world, ClusterProcess process) {
        this.world = world;
        this.process = process;
        this.weather = process.weather();
    }

    @Override
    public CompletableFuture<RangeResult> range(RangeRequest request) {
        return call(() -> world.store().range(request), noAnswer());
    }

    @Override
    public CompletableFuture<TxnResult> txn(Txn txn) {
        Sent sent = world.truth().sending(process, txn);
        CompletableFuture<TxnResult> answer = call(() -> world.truth().apply(sent), inDoubt());
        var unused = answer.whenComplete((result, failure) -> {
            if (failure instanceof HeadmastException.Indeterminate) {
                world.truth().isUnknown(sent);
            } else if (failure == null) {
                process.answered(sent);
            }
        });
        return answer;
    }

    @Override
    public Watch watch(WatchRequest request, WatchListener listener) {
        LinkWatch watch = new LinkWatch(world, process, listener);
        process.watchOpened(watch);
        watch.open(request);
        return watch;
    }

    @Override
    public CompletableFuture<Lease> grantLease(Duration ttl) {
        return call(() -> world.store().grantLease(ttl), inDoubt());
    }

    @Override
    public CompletableFuture<Lease> keepAlive(long leaseId) {
        return call(() -> world.store().keepAlive(leaseId), inDoubt());
    }

    @Override
    public CompletableFuture<Duration> timeToLive(long leaseId) {
        return call(() -> world.store().timeToLive(leaseId), noAnswer());
    }

    @Override
    public CompletableFuture<Void> revokeLease(long leaseId) {
        return call(() -> world.store().revokeLease(leaseId), inDoubt());
    }

    @Override
    public CompletableFuture<Void> compact(long revision) {
        return call(() -> world.store().compact(revision), inDoubt());
    }

    @Override
    public void close() {
        process.closeWatches();
    }

    private static HeadmastException noAnswer() {
        return new HeadmastException.Unavailable("no answer");
    }

    private static HeadmastException inDoubt() {
        return new HeadmastException.Indeterminate("no answer");
    }

    private <T> CompletableFuture<T> call(Supplier<CompletableFuture<T>> atStore, HeadmastException noAnswer) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (!process.mayCall()) {
            return answer;
        }
        EventLoop.Timer limit = process.loop().schedule(CALL_LIMIT, () -> answer.completeExceptionally(noAnswer));
        var unused = answer.whenComplete((value, failure) -> limit.cancel());
        Weather.Fate fate = weather.fate(world.random());
        if (weather.refused()) {
            arriveSoon(() -> answer.completeExceptionally(new HeadmastException.Unavailable("refused")));
        } else if (fate != Weather.Fate.REQUEST_LOST && !weather.requestsCut()) {
            boolean late = fate == Weather.Fate.REQUEST_LATE;
            world.lateRequests(late ? 1 : 0);
            var unusedRequest = world.time().schedule(requestTime(late), () -> {
                world.lateRequests(late ? -1 : 0);
                carryOut(atStore.get(), fate, answer);
            });
        }
        process.called();
        return answer;
    }

    private Duration requestTime(boolean late) {
        return late ? CALL_LIMIT.plusNanos(world.random().nextLong(LATE_NANOS)) : weather.travel(world.random());
    }

    private <T> void carryOut(CompletableFuture<T> carriedOut, Weather.Fate fate, CompletableFuture<T> answer) {
        var unused = carriedOut.whenComplete((value, failure) -> {
            if (fate != Weather.Fate.ANSWER_LOST) {
                arriveSoon(() -> arrive(answer, value, failure));
            }
        });
    }

    private void arriveSoon(Runnable arrival) {
        var unused = world.time().schedule(weather.travel(world.random()), () -> {
            if (!weather.answersCut()) {
                process.loop().execute(arrival);
            }
        });
    }

    private static <T> void arrive(CompletableFuture<T> answer, T value, @Nullable Throwable failure) {
        if (failure == null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(failure);
        }
    }
}
