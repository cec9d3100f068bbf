// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.CuttingProxy;
import io.headmast.server.process.ProcessCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * What faults happen to, and who is in trouble already. It belongs to the thread that lets them happen.
 *
 * @param store leads to etcd directly
 * @param proxies between etcd and each of {@link #BEHIND_PROXIES}, one for each member
 * @param clock the file with the offset of the wall clock of {@link #SHIFTED}
 * @param sights what is known of the cluster
 */
public record Stage(
        Members etcd,
        KeyValueStore store,
        ProcessCluster cluster,
        Map<String, List<CuttingProxy>> proxies,
        Path clock,
        Sights sights,
        Set<String> troubled) {
    public static final List<String> SERVERS = List.of("s1", "s2");
    public static final List<String> WORKERS = List.of("w1", "w2", "w3");

    /** Who reaches the store through proxies. */
    public static final List<String> BEHIND_PROXIES = List.of("s2", "w2");

    /** The worker whose wall clock can be set. */
    public static final String SHIFTED = "w3";

    /** The name of etcd as the target of a fault. */
    static final String STORE = "etcd";

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(20);

    /**
     * @param leader the server that leads now
     * @param recorded returns once the recorder has come to a revision
     */
    public record Sights(Supplier<Optional<String>> leader, LongConsumer recorded) {}

    public Stage(
            Members etcd,
            KeyValueStore store,
            ProcessCluster cluster,
            Map<String, List<CuttingProxy>> proxies,
            Path clock,
            Sights sights) {
        this(etcd, store, cluster, proxies, clock, sights, new HashSet<>());
    }

    /** One of these that isn't in trouble, and is from now on. */
    Optional<String> take(List<String> from, Random random) {
        List<String> order = new ArrayList<>(from);
        Collections.shuffle(order, random);
        Optional<String> free =
                order.stream().filter(target -> !troubled.contains(target)).findFirst();
        free.ifPresent(troubled::add);
        return free;
    }

    /** The leader, if it isn't in trouble; it is from now on. */
    Optional<String> takeLeader() {
        return sights.leader().get().filter(troubled::add);
    }

    /** etcd, if it isn't in trouble; it is from now on. */
    boolean takeStore() {
        return troubled.add(STORE);
    }

    void giveBack(String target) {
        troubled.remove(target);
    }

    long revision() {
        return Await.value(store.range(RangeRequest.of(KeyRange.key("/"))), ANSWER_LIMIT)
                .revision();
    }

    /** Lets the store forget its history up to its present revision, which is returned; the recorder has seen it. */
    long compact() {
        long revision = revision();
        sights.recorded().accept(revision);
        Await.value(store.compact(revision), ANSWER_LIMIT);
        return revision;
    }
}
