// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.ChangeReason;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells observers of changes, each through a queue of its own: a slow one delays nobody, and one that throws is logged
 * and told the next change all the same. When more than {@value #MAX_WAITING} changes wait for one, further ones are
 * dropped and that is logged: observers are a convenience, whoever must not miss anything watches the store.
 */
final class Observers<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Observers.class);
    private static final int MAX_WAITING = 10_000;
    private static final int MAX_THREADS = 16;
    private static final long IDLE_SECONDS = 10;

    private final List<Told> all = new CopyOnWriteArrayList<>();
    private final ExecutorService executor;

    Observers(String threadName) {
        executor = new ThreadPoolExecutor(
                0, MAX_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, threadName);
                    thread.setDaemon(true);
                    return thread;
                });
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    Subscription add(BiConsumer<T, ChangeReason> observer) {
        if (all.size() >= MAX_THREADS) {
            throw new IllegalStateException("more than " + MAX_THREADS + " observers");
        }
        Told told = new Told(observer);
        all.add(told);
        return () -> {
            all.remove(told);
            told.close();
        };
    }

    void tell(T subject, ChangeReason reason) {
        all.forEach(told -> told.offer(new Change<>(subject, reason)));
    }

    void close() {
        all.forEach(Told::close);
        all.clear();
        executor.shutdown();
    }

    private record Change<T>(T subject, ChangeReason reason) {}

    private final class Told {
        private final BiConsumer<T, ChangeReason> observer;
        private final BlockingQueue<Change<T>> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
        private final AtomicBoolean running = new AtomicBoolean();
        private volatile boolean closed;
        private volatile boolean dropping;

        Told(BiConsumer<T, ChangeReason> observer) {
            this.observer = observer;
        }

        void offer(Change<T> change) {
            boolean kept = waiting.offer(change);
            if (!kept && !dropping) {
                LOG.warn("observer is too slow; changes are dropped until it catches up waiting={}", MAX_WAITING);
            }
            dropping = !kept;
            run();
        }

        void close() {
            closed = true;
            waiting.clear();
        }

        private void run() {
            if (!closed && !waiting.isEmpty() && running.compareAndSet(false, true)) {
                try {
                    executor.execute(this::drain);
                } catch (RejectedExecutionException e) {
                    running.set(false);
                }
            }
        }

        private void drain() {
            for (Change<T> next = waiting.poll(); next != null && !closed; next = waiting.poll()) {
                try {
                    observer.accept(next.subject(), next.reason());
                } catch (RuntimeException | Error e) {
                    LOG.error("observer failed; it stays registered", e);
                }
            }
            running.set(false);
            run();
        }
    }
}
