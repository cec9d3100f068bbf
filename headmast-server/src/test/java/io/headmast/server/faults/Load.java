// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.server.faults.check.Operation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Several clients that give random orders about a fixed set of jobs until they are told to stop. */
final class Load implements AutoCloseable {
    static final int CLIENTS = 4;
    static final int JOBS = 60;
    private static final Duration PACE = Duration.ofMillis(100);
    private static final long END_LIMIT_SECONDS = 60;

    /** How often each is asked, out of 100. */
    private enum Share {
        SUBMIT(26, Kind.SUBMIT),
        KILL(12, Kind.KILL),
        ALIVE(18, Kind.ALIVE),
        RESTART(8, Kind.RESTART),
        STOP(6, Kind.STOP),
        START(9, Kind.START),
        DELETE(8, Kind.DELETE),
        READ(13, Kind.READ);

        private final int percent;
        private final Kind kind;

        Share(int percent, Kind kind) {
            this.percent = percent;
            this.kind = kind;
        }

        static Kind of(int percentile) {
            int left = percentile;
            for (Share share : values()) {
                left -= share.percent;
                if (left < 0) {
                    return share.kind;
                }
            }
            throw new IllegalStateException("the shares don't add up to 100");
        }
    }

    private final CountDownLatch stop = new CountDownLatch(1);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();

    Load(long seed, Supplier<LoadClient> clients) {
        for (int i = 0; i < CLIENTS; i++) {
            Random random = new Random(seed * CLIENTS + i);
            threads.add(new Thread(() -> run(clients, random), "load-" + i));
        }
    }

    void start() {
        threads.forEach(Thread::start);
    }

    static String job(int number) {
        return "job-" + number;
    }

    /** Ends it, once every call has its outcome. */
    @Override
    public void close() {
        stop.countDown();
        try {
            for (Thread thread : threads) {
                thread.join(TimeUnit.SECONDS.toMillis(END_LIMIT_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure.get() != null) {
            throw new AssertionError("a client failed", failure.get());
        }
    }

    private void run(Supplier<LoadClient> clients, Random random) {
        try (LoadClient client = clients.get()) {
            while (!stop.await(random.nextLong(2 * PACE.toMillis()), TimeUnit.MILLISECONDS)) {
                client.call(random.nextInt(client.servers()), Share.of(random.nextInt(100)), job(random.nextInt(JOBS)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }
}
