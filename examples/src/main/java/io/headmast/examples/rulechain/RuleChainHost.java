// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.rulechain;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * Runs rule chains, each under the id of its job. Ten thousand of them share a few threads: a chain that waits for its
 * next value holds none. Thread-safe.
 *
 * <p>{@link #start} and {@link #stop} are what a worker calls when a job is placed here and taken away.
 */
final class RuleChainHost implements AutoCloseable {
    private final ScheduledThreadPoolExecutor threads;
    private final Map<String, RunningChain> chains = new ConcurrentHashMap<>();
    private final Listener listener;

    /** What chains have to tell; called on the host's threads, never twice at once for one chain. */
    interface Listener {
        /** A log rule of the chain got a value. */
        void logged(String id, double value);

        /** The chain has ended by itself, because {@link #logged} threw. */
        void failed(String id, RuntimeException why);
    }

    /** A host without chains. */
    RuleChainHost(int threadCount, Listener listener) {
        this.threads = new ScheduledThreadPoolExecutor(threadCount);
        this.threads.setRemoveOnCancelPolicy(true);
        this.listener = listener;
    }

    /**
     * Starts a chain; its first value comes at once.
     *
     * @throws HeadmastException.Invalid if the payload describes no chain
     * @throws IllegalStateException if a chain runs under that id
     */
    void start(String id, Payload payload) {
        RunningChain chain = new RunningChain(RuleChain.parse(payload), value -> listener.logged(id, value));
        if (chains.putIfAbsent(id, chain) != null) {
            throw new IllegalStateException("chain " + id + " runs already");
        }
        chain.start(threads, why -> {
            chains.remove(id, chain);
            listener.failed(id, why);
        });
    }

    /**
     * Stops a chain. Once this returns, no value is on its way through it any more, so it may be started elsewhere. That
     * none runs under that id is fine.
     */
    void stop(String id) {
        RunningChain chain = chains.remove(id);
        if (chain != null) {
            chain.stop();
        }
    }

    /** The ids of the chains that run, in order. */
    Set<String> running() {
        return new TreeSet<>(chains.keySet());
    }

    /** Stops every chain, and ends the threads. */
    @Override
    public void close() {
        running().forEach(this::stop);
        threads.shutdown();
    }
}
