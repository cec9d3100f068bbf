// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.api.ChangeReason;
import io.headmast.core.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Observers are told in order, and none harms another. */
final class ObserversTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Observers<Integer> observers = new Observers<>("test-observers");
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        observers.close();
    }

    private static List<Integer> upTo(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private void tell(int count) {
        upTo(count).forEach(number -> observers.tell(number, ChangeReason.UPDATED));
    }

    private List<Integer> recorded() {
        List<Integer> told = Collections.synchronizedList(new ArrayList<>());
        observers.add((number, reason) -> told.add(number));
        return told;
    }

    private static void awaitAll(List<Integer> told, int count) {
        Await.until("all are told", LIMIT, told::size, () -> told.size() >= count);
        assertEquals(upTo(count), List.copyOf(told));
    }

    private void block() {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void severalObserversAreToldEverythingInOrder() {
        List<Integer> one = recorded();
        List<Integer> other = recorded();
        tell(1000);
        awaitAll(one, 1000);
        awaitAll(other, 1000);
    }

    @Test
    void observerThatBlocksDelaysNobody() {
        observers.add((number, reason) -> block());
        List<Integer> told = recorded();
        tell(1000);
        awaitAll(told, 1000);
    }

    @Test
    void observerThatThrowsIsToldTheNextAllTheSame() {
        List<Integer> told = Collections.synchronizedList(new ArrayList<>());
        observers.add((number, reason) -> {
            told.add(number);
            throw new IllegalStateException("observer's bug");
        });
        tell(3);
        awaitAll(told, 3);
    }

    @Test
    void observerThatThrowsAnErrorIsToldTheNextAllTheSame() {
        List<Integer> told = Collections.synchronizedList(new ArrayList<>());
        observers.add((number, reason) -> {
            told.add(number);
            throw new AssertionError("observer's bug");
        });
        tell(3);
        awaitAll(told, 3);
    }

    @Test
    void nothingFollowsTheCloseButTheCallUnderWay() {
        List<Integer> told = Collections.synchronizedList(new ArrayList<>());
        Subscription subscription = observers.add((number, reason) -> {
            told.add(number);
            block();
        });
        tell(100);
        Await.until("the first is told", LIMIT, () -> !told.isEmpty());
        subscription.close();
        List<Integer> after = recorded();
        tell(1);
        gate.countDown();
        awaitAll(after, 1);
        observers.tell(1, ChangeReason.UPDATED);
        awaitAll(after, 2);
        assertEquals(List.of(0), told);
    }

    @Test
    void slowObserverLosesChangesInsteadOfMemory() {
        List<Integer> told = Collections.synchronizedList(new ArrayList<>());
        observers.add((number, reason) -> {
            block();
            told.add(number);
        });
        tell(20_000);
        gate.countDown();
        Await.until("what was kept is told", LIMIT, told::size, () -> told.size() >= 10_000);
        assertEquals(0, told.get(0));
    }

    @Test
    void tooManyObserversAreRefused() {
        IntStream.range(0, 16).forEach(number -> recorded());
        assertThrows(IllegalStateException.class, this::recorded);
    }
}
