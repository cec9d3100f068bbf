// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.rulechain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.junit.jupiter.api.Test;

class RuleChainHostTest {
    private static final Payload CHAIN =
            Payload.of("{\"source\":{\"every\":\"10ms\",\"value\":20},\"rules\":[{\"type\":\"log\"}]}");

    /** Hands values to one place and notes failures. */
    private record Noting(DoubleConsumer values, BlockingQueue<String> failures) implements RuleChainHost.Listener {
        Noting(DoubleConsumer values) {
            this(values, new LinkedBlockingQueue<>());
        }

        @Override
        public void logged(String id, double value) {
            values.accept(value);
        }

        @Override
        public void failed(String id, RuntimeException why) {
            failures.add(id + ": " + why.getMessage());
        }
    }

    @Test
    void aChainRunsUntilItIsStopped() throws Exception {
        CountDownLatch values = new CountDownLatch(3);
        try (RuleChainHost host = new RuleChainHost(1, new Noting(value -> values.countDown()))) {
            host.start("chain-7", CHAIN);

            assertTrue(values.await(30, TimeUnit.SECONDS));
            assertEquals(Set.of("chain-7"), host.running());

            host.stop("chain-7");
            assertEquals(Set.of(), host.running());
            host.stop("chain-7");
        }
    }

    @Test
    void stoppingWaitsForTheValueThatIsOnItsWay() throws Exception {
        CountDownLatch under = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        FutureTask<Long> stopping;
        try (RuleChainHost host = new RuleChainHost(1, new Noting(value -> {
            under.countDown();
            await(release);
        }))) {
            host.start("chain-7", CHAIN);
            assertTrue(under.await(30, TimeUnit.SECONDS));
            stopping = new FutureTask<>(() -> {
                host.stop("chain-7");
                return release.getCount();
            });
            Thread stopper = new Thread(stopping, "stopper");
            stopper.start();
            while (stopper.getState() != Thread.State.BLOCKED && stopper.isAlive()) {
                Thread.onSpinWait();
            }
            assertFalse(stopping.isDone());

            release.countDown();
            assertEquals(0, stopping.get(30, TimeUnit.SECONDS));
        }
    }

    @Test
    void aChainThatFailsEndsAndSaysSo() throws Exception {
        Noting noting = new Noting(value -> {
            throw new IllegalStateException("the sink is full");
        });
        try (RuleChainHost host = new RuleChainHost(1, noting)) {
            host.start("chain-7", CHAIN);

            assertEquals("chain-7: the sink is full", noting.failures().poll(30, TimeUnit.SECONDS));
            assertEquals(Set.of(), host.running());
            assertNull(noting.failures().poll());
        }
    }

    @Test
    void thousandsOfChainsShareAFewThreads() throws Exception {
        CountDownLatch all = new CountDownLatch(10_000);
        Payload rare = Payload.of("{\"source\":{\"every\":\"1h\",\"value\":1},\"rules\":[{\"type\":\"log\"}]}");
        try (RuleChainHost host = new RuleChainHost(2, new Noting(value -> all.countDown()))) {
            for (int i = 0; i < 10_000; i++) {
                host.start("chain-" + i, rare);
            }

            assertTrue(all.await(60, TimeUnit.SECONDS));
            assertEquals(10_000, host.running().size());
        }
    }

    @Test
    void anIdRunsOneChainAtATime() {
        try (RuleChainHost host = new RuleChainHost(1, new Noting(value -> {}))) {
            host.start("chain-7", CHAIN);

            assertThrows(IllegalStateException.class, () -> host.start("chain-7", CHAIN));
            host.stop("chain-7");
            host.start("chain-7", CHAIN);
        }
    }

    @Test
    void whatIsNoChainIsNotStarted() {
        try (RuleChainHost host = new RuleChainHost(1, new Noting(value -> {}))) {
            assertThrows(HeadmastException.Invalid.class, () -> host.start("chain-7", Payload.of("{}")));
            assertEquals(Set.of(), host.running());
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
