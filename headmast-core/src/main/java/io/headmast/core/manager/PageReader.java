// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobOrder;
import io.headmast.api.JobPage;
import io.headmast.api.JobQuery;
import io.headmast.api.JobView;
import io.headmast.core.plan.Observer;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.store.KeyValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;

/**
 * Lists jobs: which ones the mirror says, which holds no payloads; their records come from the store, as many to a read
 * as an answer should hold and two reads at once. A page ends early once it holds {@value #PAGE_BYTES} bytes of records.
 */
final class PageReader {
    private static final long PAGE_BYTES = 16 << 20;

    private final RecordReader records;
    private final ClusterMirror mirror;

    PageReader(RecordReader records, ClusterMirror mirror) {
        this.records = records;
        this.mirror = mirror;
    }

    /** Which jobs an order is for. */
    record Selected(List<String> ids, Optional<String> next) {}

    /** @param seen a revision that the list must not be older than */
    CompletableFuture<JobPage> read(JobQuery query, long seen) {
        return list(query, seen, new Listed(new ArrayList<>(), 0))
                .thenCompose(page -> fill(page, 0, new Filled(new ArrayList<>(), 0)));
    }

    /** @param seen a revision that the selection must not be older than */
    CompletableFuture<Selected> select(JobOrder order, long seen) {
        SortedSet<String> ids = order.selector().ids();
        if (!ids.isEmpty() && !order.selector().hasConditions()) {
            return CompletableFuture.completedFuture(named(order, ids));
        }
        return select(order.selector().query(order.limit(), order.cursor()), ids, seen, new ArrayList<>());
    }

    private static Selected named(JobOrder order, SortedSet<String> ids) {
        List<String> rest = ids.stream()
                .filter(id -> order.cursor().map(last -> id.compareTo(last) > 0).orElse(true))
                .toList();
        return rest.size() <= order.limit()
                ? new Selected(rest, Optional.empty())
                : new Selected(rest.subList(0, order.limit()), Optional.of(rest.get(order.limit() - 1)));
    }

    /** Goes on until the limit is reached, and gives the loop back after each look. */
    private CompletableFuture<Selected> select(
            JobQuery query, SortedSet<String> among, long seen, List<String> before) {
        return mirror.read(seen, () -> select(query, among)).thenCompose(found -> {
            before.addAll(found.ids());
            int missing = query.limit() - found.ids().size();
            return found.next().isEmpty() || missing == 0
                    ? CompletableFuture.completedFuture(new Selected(before, found.next()))
                    : select(query.from(found.next().get()).withLimit(missing), among, seen, before);
        });
    }

    private Observer.Selection select(JobQuery query, SortedSet<String> among) {
        return among.isEmpty()
                ? mirror.observer().select(query)
                : mirror.observer().select(query, among);
    }

    private record Listed(List<JobView> items, long revision) {}

    private CompletableFuture<JobPage> list(JobQuery query, long seen, Listed before) {
        return mirror.read(seen, () -> mirror.observer().page(query)).thenCompose(page -> {
            before.items().addAll(page.items());
            long revision = before.revision() == 0 ? page.revision() : before.revision();
            int missing = query.limit() - page.items().size();
            return page.next().isEmpty() || missing <= 0
                    ? CompletableFuture.completedFuture(new JobPage(before.items(), page.next(), revision))
                    : list(
                            query.from(page.next().get()).withLimit(missing),
                            seen,
                            new Listed(before.items(), revision));
        });
    }

    private record Filled(List<JobView> items, long bytes) {}

    private CompletableFuture<JobPage> fill(JobPage page, int from, Filled filled) {
        List<JobView> listed = page.items();
        if (from >= listed.size()) {
            return CompletableFuture.completedFuture(new JobPage(filled.items(), page.next(), page.revision()));
        }
        if (filled.bytes() >= PAGE_BYTES) {
            String last = listed.get(from - 1).job().id();
            return CompletableFuture.completedFuture(new JobPage(filled.items(), Optional.of(last), page.revision()));
        }
        int fitting = records.fitting();
        int middle = Math.min(listed.size(), from + fitting);
        int to = Math.min(listed.size(), middle + fitting);
        return read(listed.subList(from, middle))
                .thenCombine(read(listed.subList(middle, to)), (first, second) -> {
                    long bytes = take(listed.subList(from, middle), first, filled.items())
                            + take(listed.subList(middle, to), second, filled.items());
                    return new Filled(filled.items(), filled.bytes() + bytes);
                })
                .thenCompose(more -> fill(page, to, more));
    }

    private CompletableFuture<List<KeyValue>> read(List<JobView> some) {
        return some.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : records.records(some.stream().map(view -> view.job().id()).toList());
    }

    /** Adds what was found and returns its size; a job that went away meanwhile isn't listed. */
    private long take(List<JobView> listed, List<KeyValue> found, List<JobView> filled) {
        Map<String, KeyValue> byKey = new HashMap<>();
        found.forEach(record -> byKey.put(record.key(), record));
        long bytes = 0;
        for (JobView view : listed) {
            KeyValue record = byKey.get(mirror.keys().job(view.job().id()));
            if (record != null) {
                bytes += record.value().size();
                readable(record).ifPresent(job -> filled.add(new JobView(job, record.modRevision(), view.state())));
            }
        }
        return bytes;
    }

    private static Optional<Job> readable(KeyValue record) {
        try {
            return Optional.of(Job.unmarshalBinary(record.value().toByteArray()));
        } catch (HeadmastException.Invalid e) {
            return Optional.empty();
        }
    }
}
