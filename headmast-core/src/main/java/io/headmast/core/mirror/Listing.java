// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads a whole range as of one revision, page by page. The first page fixes the revision. Pages begin small and grow
 * while their content is light, so that neither large values nor many keys make an answer exceed what a client takes.
 */
final class Listing {
    private static final long FIRST_PAGE = 64;
    private static final long LARGEST_PAGE = 10_000;
    private static final long PAGE_BYTES = 8 << 20;
    private static final int GROWTH = 8;

    private final KeyValueStore store;
    private final KeyRange range;
    private final EventLoop loop;
    private final List<KeyValue> items = new ArrayList<>();

    Listing(KeyValueStore store, KeyRange range, EventLoop loop) {
        this.store = store;
        this.range = range;
        this.loop = loop;
    }

    /** Receives a complete listing, on the loop. */
    interface Done {
        void listed(long revision, List<KeyValue> items);
    }

    void start(Done done, Consumer<Throwable> failed) {
        read(new RangeRequest(range, FIRST_PAGE, 0), done, failed);
    }

    private void read(RangeRequest request, Done done, Consumer<Throwable> failed) {
        loop.when(store.range(request), page -> take(request, page, done, failed), failed);
    }

    private void take(RangeRequest request, RangeResult page, Done done, Consumer<Throwable> failed) {
        items.addAll(page.items());
        long revision = request.revision() == 0 ? page.revision() : request.revision();
        if (!page.more() || page.items().isEmpty()) {
            done.listed(revision, items);
            return;
        }
        KeyRange rest = range.after(items.get(items.size() - 1).key());
        read(new RangeRequest(rest, nextLimit(request.limit(), page), revision), done, failed);
    }

    private static long nextLimit(long limit, RangeResult page) {
        long bytes = 1;
        for (KeyValue item : page.items()) {
            bytes += item.value().size();
        }
        long fitting = Math.max(1, PAGE_BYTES * page.items().size() / bytes);
        return Math.min(Math.min(limit * GROWTH, fitting), LARGEST_PAGE);
    }
}
