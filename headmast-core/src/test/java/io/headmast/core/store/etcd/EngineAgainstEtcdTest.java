// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.core.store.Compare;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.OpResult;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchRequest;
import io.headmast.core.store.memory.MvccStore;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.EtcdServer;
import io.headmast.core.testing.RecordingListener;
import io.headmast.core.testing.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The engine against the real thing: random transactions on both, and everything that can be seen must be the same. Only
 * the revisions are shifted, by as much as etcd had before.
 */
final class EngineAgainstEtcdTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int TRANSACTIONS = 150;
    private static final int KEYS = 6;
    private static final int MAX_DEPTH = 3;

    private static EtcdServer etcd;
    private static JetcdStore real;

    private final VirtualLoop loop = new VirtualLoop();
    private final MvccStore engine = new MvccStore(loop);
    private long shift;

    @BeforeAll
    static void start() {
        etcd = EtcdServer.start();
        real = new JetcdStore(JetcdOptions.of(etcd.endpoint()));
    }

    @AfterAll
    static void end() {
        if (etcd != null) {
            real.close();
            etcd.close();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sameTransactionsGiveTheSame(long seed) {
        var random = new Random(seed);
        KeyRange range = KeyRange.prefix("seed" + seed + "/");
        shift = Await.value(real.range(RangeRequest.of(range)), LIMIT).revision() - 1;
        for (int i = 0; i < TRANSACTIONS; i++) {
            Txn txn = txn(random, range.from(), MAX_DEPTH);
            String expected;
            try {
                expected = engineResult(txn);
            } catch (HeadmastException.Invalid e) {
                // Writes a key twice. The contract has the cases; the engine refuses one that etcd takes.
                continue;
            }
            String seen = text(Await.value(real.txn(shifted(txn)), LIMIT), shift);
            assertEquals(expected, seen, () -> "seed " + seed + ": " + txn);
        }
        assertEquals(history(engine, range, 1, 0), history(real, range, shift + 1, shift));
    }

    private String engineResult(Txn txn) {
        var result = engine.txn(txn);
        loop.runUntilIdle();
        return text(Await.value(result, Duration.ZERO), 0);
    }

    /** All events from the first revision on, batched by revision. */
    private String history(KeyValueStore store, KeyRange range, long from, long shiftedBy) {
        var end = store.range(RangeRequest.of(range));
        loop.runUntilIdle();
        long last = Await.value(end, LIMIT).items().stream()
                .mapToLong(KeyValue::modRevision)
                .max()
                .orElse(0);
        var listener = new RecordingListener();
        var watch = store.watch(new WatchRequest(range, from), listener);
        loop.runUntilIdle();
        Await.until("the history", LIMIT, () -> listener.events().stream().anyMatch(e -> e.revision() >= last));
        watch.close();
        return listener.events().stream()
                .filter(event -> event.revision() <= last)
                .map(event -> event instanceof WatchEvent.Put put
                        ? text(put.current(), shiftedBy)
                        : "-" + event.key() + "@" + (event.revision() - shiftedBy))
                .toList()
                .toString();
    }

    private Txn txn(Random random, String prefix, int depth) {
        List<Compare> compares = IntStream.range(0, random.nextInt(3))
                .mapToObj(i -> compare(random, prefix))
                .toList();
        return new Txn(compares, ops(random, prefix, depth), ops(random, prefix, depth));
    }

    private List<Op> ops(Random random, String prefix, int depth) {
        List<Op> ops = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            ops.add(op(random, prefix, depth));
        }
        return ops;
    }

    private Op op(Random random, String prefix, int depth) {
        String key = key(random, prefix);
        return switch (random.nextInt(depth > 0 ? 6 : 5)) {
            case 0, 1 -> Op.put(key, Payload.of("v" + random.nextInt(3)));
            case 2 -> Op.delete(key);
            case 3 -> new Op.Get(KeyRange.prefix(prefix));
            case 4 -> random.nextInt(4) == 0 ? new Op.Delete(new KeyRange(key, key(random, prefix))) : Op.get(key);
            default -> new Op.Nested(txn(random, prefix, depth - 1));
        };
    }

    /** As often true as false, so that both branches are seen. */
    private Compare compare(Random random, String prefix) {
        String key = key(random, prefix);
        var read = engine.range(RangeRequest.key(key));
        loop.runUntilIdle();
        var item = Await.value(read, Duration.ZERO).first();
        boolean right = random.nextInt(3) > 0;
        long off = right ? 0 : 1;
        return switch (random.nextInt(3)) {
            case 0 ->
                new Compare.CreateRevision(
                        key, item.map(KeyValue::createRevision).orElse(0L) + off);
            case 1 ->
                new Compare.ModRevision(key, item.map(KeyValue::modRevision).orElse(0L) + off);
            default -> new Compare.Value(key, item.map(KeyValue::value).orElse(Payload.of("none")));
        };
    }

    private static String key(Random random, String prefix) {
        return prefix + (char) ('a' + random.nextInt(KEYS));
    }

    private Txn shifted(Txn txn) {
        return new Txn(
                txn.compares().stream().map(this::shifted).toList(),
                txn.success().stream().map(this::shifted).toList(),
                txn.failure().stream().map(this::shifted).toList());
    }

    private Compare shifted(Compare compare) {
        if (compare instanceof Compare.CreateRevision at && at.revision() > 0) {
            return new Compare.CreateRevision(at.key(), at.revision() + shift);
        }
        if (compare instanceof Compare.ModRevision at && at.revision() > 0) {
            return new Compare.ModRevision(at.key(), at.revision() + shift);
        }
        return compare;
    }

    private Op shifted(Op op) {
        return op instanceof Op.Nested nested ? new Op.Nested(shifted(nested.txn())) : op;
    }

    private static String text(TxnResult result, long shiftedBy) {
        var text = new StringBuilder().append(result.succeeded()).append('@').append(result.revision() - shiftedBy);
        for (OpResult each : result.results()) {
            text.append(' ');
            if (each instanceof OpResult.Got got) {
                text.append(
                        got.items().stream().map(item -> text(item, shiftedBy)).toList());
            } else if (each instanceof OpResult.NestedDone nested) {
                text.append('(').append(text(nested.result(), shiftedBy)).append(')');
            } else {
                text.append(each);
            }
        }
        return text.toString();
    }

    private static String text(KeyValue item, long shiftedBy) {
        return item.key() + "=" + item.value().toText() + "@" + (item.createRevision() - shiftedBy) + ","
                + (item.modRevision() - shiftedBy) + "#" + item.version();
    }
}
