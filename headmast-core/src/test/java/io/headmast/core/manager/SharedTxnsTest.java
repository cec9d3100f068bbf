// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.testing.FaultyStore;
import io.headmast.core.testing.FaultyStore.Fate;
import io.headmast.core.testing.TestCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What shares a transaction, how many are sent, and what each of those that share one is told. */
final class SharedTxnsTest {
    private final TestCluster cluster = new TestCluster();
    private final FaultyStore way = cluster.wayToStore();
    private final SharedTxns shared = new SharedTxns(way);
    private final List<Integer> sent = new ArrayList<>();

    private static Txn create(String key, int bytes) {
        return new Txn(List.of(Compare.absent(key)), List.of(Op.put(key, Payload.wrap(new byte[bytes]))));
    }

    private static Txn create(String key) {
        return create(key, 10);
    }

    private List<CompletableFuture<TxnResult>> createMany(int count, int bytes) {
        List<CompletableFuture<TxnResult>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(shared.txn(create("k" + i, bytes)));
        }
        return answers;
    }

    private void noteSizes() {
        way.fates(txn -> {
            sent.add(txn.compares().isEmpty() ? txn.success().size() : 1);
            return Fate.DELIVERED;
        });
    }

    private long keys() {
        return cluster.names("k").size();
    }

    @Test
    void loneTransactionGoesAtOnceAndAsItIs() {
        List<Txn> seen = new ArrayList<>();
        way.fates(txn -> {
            seen.add(txn);
            return Fate.DELIVERED;
        });
        Txn txn = create("k");
        CompletableFuture<TxnResult> answer = shared.txn(txn);
        assertEquals(List.of(txn), seen, "before any time has passed");
        assertTrue(cluster.get(answer).succeeded());
    }

    @Test
    void whatComesWhileSomeAreInFlightMakesTheNextTransaction() {
        noteSizes();
        List<CompletableFuture<TxnResult>> answers = createMany(300, 10);
        cluster.settle();
        assertEquals(List.of(1, 1, 1, 1, 120, 120, 56), sent);
        assertTrue(answers.stream().allMatch(answer -> answer.join().succeeded()));
        assertEquals(300, keys());
    }

    @Test
    void transactionsKeepWithinTheBytesOfARequest() {
        noteSizes();
        List<CompletableFuture<TxnResult>> answers = createMany(24, 500_000);
        cluster.settle();
        assertTrue(answers.stream().allMatch(answer -> answer.join().succeeded()));
        assertEquals(24, sent.stream().mapToInt(Integer::intValue).sum());
        assertEquals(3, sent.get(4), "three of them fit into a request: " + sent);
    }

    @Test
    void eachHasAnOutcomeOfItsOwn() {
        cluster.get(cluster.store().txn(create("k7")));
        List<CompletableFuture<TxnResult>> answers = createMany(50, 10);
        cluster.settle();
        for (int i = 0; i < 50; i++) {
            assertEquals(i != 7, answers.get(i).join().succeeded(), "k" + i);
        }
        assertEquals(50, keys());
    }

    @Test
    void ofTwoForOneKeyTheFirstIsFirstAndTheSecondSeesIt() {
        List<CompletableFuture<TxnResult>> fillers = createMany(4, 10);
        CompletableFuture<TxnResult> first = shared.txn(create("kx"));
        CompletableFuture<TxnResult> second = shared.txn(create("kx"));
        CompletableFuture<TxnResult> third = shared.txn(create("ky"));
        cluster.settle();
        assertTrue(first.join().succeeded());
        assertFalse(second.join().succeeded());
        assertTrue(third.join().succeeded());
        assertEquals(first.join().revision(), third.join().revision(), "the second held nobody up");
        assertTrue(fillers.stream().allMatch(answer -> answer.join().succeeded()));
    }

    @Test
    void oneThatTheStoreRefusesDoesNotFailTheOthers() {
        List<CompletableFuture<TxnResult>> fillers = createMany(4, 10);
        CompletableFuture<TxnResult> good = shared.txn(create("kgood"));
        CompletableFuture<TxnResult> tooLarge = shared.txn(create("klarge", 2 * KeyValueStore.MAX_REQUEST_BYTES));
        CompletableFuture<TxnResult> nameless = shared.txn(create(""));
        CompletableFuture<TxnResult> late = shared.txn(create("klate"));
        cluster.settle();
        assertTrue(good.join().succeeded());
        assertTrue(late.join().succeeded());
        assertTrue(fillers.stream().allMatch(answer -> answer.join().succeeded()));
        assertThrows(HeadmastException.TooLarge.class, () -> cluster.get(tooLarge));
        assertThrows(HeadmastException.Invalid.class, () -> cluster.get(nameless));
    }

    @Test
    void allOfALostTransactionAreInDoubtAndTheNextOnesGoOn() {
        List<CompletableFuture<TxnResult>> fillers = createMany(4, 10);
        way.fates(txn -> txn.success().size() > 1 ? Fate.ANSWER_LOST : Fate.DELIVERED);
        CompletableFuture<TxnResult> one = shared.txn(create("kx"));
        CompletableFuture<TxnResult> other = shared.txn(create("ky"));
        cluster.advance(FaultyStore.CALL_LIMIT.plusMillis(10));
        assertThrows(HeadmastException.Indeterminate.class, () -> cluster.get(one));
        assertThrows(HeadmastException.Indeterminate.class, () -> cluster.get(other));
        assertTrue(fillers.stream().allMatch(answer -> answer.join().succeeded()));
        assertTrue(cluster.get(shared.txn(create("kz"))).succeeded());
    }

    @Test
    void refusalOfTheStoreIsNotSentAgainInParts() {
        way.fates(txn -> Fate.REFUSED);
        List<CompletableFuture<TxnResult>> answers = createMany(100, 10);
        cluster.settle();
        assertTrue(answers.stream().allMatch(CompletableFuture::isCompletedExceptionally));
        assertEquals(100, way.txns(), "each went alone and at once, since none was in flight");
        assertEquals(0, keys());
    }

    @Test
    void storeThatRefusesAtOnceIsAskedOneByOneWithoutNesting() {
        way.cut();
        List<CompletableFuture<TxnResult>> answers = new ArrayList<>();
        for (int i = 0; i < 15_000; i++) {
            answers.add(shared.txn(create("same")));
        }
        way.heal();
        way.fates(txn -> Fate.REFUSED);
        cluster.advance(Duration.ofSeconds(2));
        assertTrue(answers.stream().allMatch(CompletableFuture::isCompletedExceptionally));
        assertEquals(15_000, way.txns());
    }

    @Test
    void queueIsBoundedAndSaysSo() {
        way.cut();
        createMany(SharedTxns.MAX_IN_FLIGHT + SharedTxns.MAX_WAITING, 10);
        assertThrows(HeadmastException.Unavailable.class, () -> cluster.get(shared.txn(create("more"))));
        way.heal();
        cluster.advance(Duration.ofSeconds(10));
        assertTrue(cluster.get(shared.txn(create("later"))).succeeded());
    }

    @Test
    void queueIsBoundedInBytes() {
        way.cut();
        createMany(SharedTxns.MAX_IN_FLIGHT, 10);
        int large = 1 << 20;
        List<CompletableFuture<TxnResult>> answers =
                createMany((int) (SharedTxns.MAX_WAITING_BYTES / large) + 1, large);
        assertEquals(
                2,
                answers.stream()
                        .filter(CompletableFuture::isCompletedExceptionally)
                        .count());
        assertTrue(answers.get(answers.size() - 1).isCompletedExceptionally());
    }
}
