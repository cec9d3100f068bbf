// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.testing.Await;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The store runs out of its space: it takes no writes until what filled it is deleted and the alarm disarmed. */
final class FillStore implements Fault {
    /** Beside the cluster's own keys. */
    private static final String FILLER = "/filler/";

    private static final int MOST_PIECES = 100;
    private static final Payload PIECE = Payload.wrap(new byte[1 << 20]);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

    @Override
    public String name() {
        return "no-space";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(2, 8);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {
        if (!stage.takeStore()) {
            return Optional.empty();
        }
        int pieces = 0;
        while (pieces < MOST_PIECES && fits(stage, pieces)) {
            pieces++;
        }
        return Optional.of(new Occurrence(stage, Stage.STORE, () -> empty(stage), Aftermath::storeWasFull));
    }

    private static boolean fits(Stage stage, int piece) {
        try {
            Await.value(stage.store().txn(Txn.of(List.of(Op.put(FILLER + piece, PIECE)))), ANSWER_LIMIT);
            return true;
        } catch (HeadmastException.StorageFull e) {
            return false;
        } catch (HeadmastException.Indeterminate | HeadmastException.Unavailable e) {
            // A busy machine's etcd takes its time for so large a piece; the next may be the one that is too much.
            return true;
        }
    }

    private static void empty(Stage stage) {
        Op.Delete all = new Op.Delete(KeyRange.prefix(FILLER));
        Await.value(stage.store().txn(Txn.of(List.of(all))), ANSWER_LIMIT);
        stage.compact();
        stage.etcd().all().forEach(each -> each.etcdctl("--command-timeout=20s", "defrag"));
        stage.etcd().all().get(0).etcdctl("alarm", "disarm");
    }
}
