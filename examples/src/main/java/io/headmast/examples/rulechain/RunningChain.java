// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.rulechain;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** A chain and its timer. Its lock is held while a value goes through, so that whoever stops it waits for that. */
final class RunningChain {
    private final RuleChain chain;
    private final DoubleConsumer log;
    private @Nullable ScheduledFuture<?> timer;
    private boolean stopped;

    RunningChain(RuleChain chain, DoubleConsumer log) {
        this.chain = chain;
        this.log = log;
    }

    synchronized void start(ScheduledExecutorService threads, Consumer<RuntimeException> failed) {
        if (!stopped) {
            timer = threads.scheduleAtFixedRate(
                    () -> tick(failed), 0, chain.every().toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    synchronized void stop() {
        stopped = true;
        if (timer != null) {
            timer.cancel(false);
        }
    }

    /** A timer swallows what its task throws; a chain that is dead must not look alive. */
    private synchronized void tick(Consumer<RuntimeException> failed) {
        if (stopped) {
            return;
        }
        try {
            chain.tick(log);
        } catch (RuntimeException e) {
            stop();
            failed.accept(e);
        }
    }
}
