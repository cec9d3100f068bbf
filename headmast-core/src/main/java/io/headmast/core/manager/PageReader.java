// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobPage;
import io.headmast.api.JobQuery;
import io.headmast.api.JobView;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import io.headmast.core.store.TxnResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Lists jobs: which ones the mirror says, which holds no payloads; their records come from the store, {@value #CHUNK} to
 * a read. A page ends early once it holds {@value #PAGE_BYTES} bytes of records.
 */
final class PageReader {
    private static final int CHUNK = 64;
    private static final long PAGE_BYTES = 16 << 20;

    private final KeyValueStore store;
    private final ClusterMirror mirror;

    PageReader(KeyValueStore store, ClusterMirror mirror) {
        this.store = store;
        this.mirror = mirror;
    }

    /** @param seen a revision that the list must not be older than */
    CompletableFuture<JobPage> read(JobQuery query, long seen) {
        return mirror.read(seen, () -> mirror.observer().page(query))
                .thenCompose(page -> fill(page, 0, new ArrayList<>(), 0));
    }

    private CompletableFuture<JobPage> fill(JobPage page, int from, List<JobView> filled, long bytes) {
        if (from >= page.items().size()) {
            return CompletableFuture.completedFuture(new JobPage(filled, page.next(), page.revision()));
        }
        if (bytes >= PAGE_BYTES) {
            String last = page.items().get(from - 1).job().id();
            return CompletableFuture.completedFuture(new JobPage(filled, Optional.of(last), page.revision()));
        }
        int to = Math.min(page.items().size(), from + CHUNK);
        List<JobView> chunk = page.items().subList(from, to);
        List<Op> reads = new ArrayList<>();
        chunk.forEach(view -> reads.add(Op.get(mirror.keys().job(view.job().id()))));
        return store.txn(Txn.of(reads))
                .thenCompose(result -> fill(page, to, filled, bytes + take(chunk, result, filled)));
    }

    /** Adds what was found and returns its size; a job that went away meanwhile isn't listed. */
    private static long take(List<JobView> chunk, TxnResult result, List<JobView> filled) {
        long bytes = 0;
        for (int i = 0; i < chunk.size(); i++) {
            for (KeyValue record : result.got(i)) {
                bytes += record.value().size();
                JobView listed = chunk.get(i);
                readable(record).ifPresent(job -> filled.add(new JobView(job, record.modRevision(), listed.state())));
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
