// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.store.RangeResult;
import java.util.List;

/**
 * Reads a whole range as of one revision, page by page: the revision that the request names, or else the one that the
 * first page fixes. Pages begin small and grow while their content is light, so that neither large values nor many keys
 * make an answer exceed what a client takes.
 */
final class Listing {
    static final long FIRST_PAGE = 64;

    private static final long LARGEST_PAGE = 10_000;
    private static final long PAGE_BYTES = 8 << 20;
    private static final int GROWTH = 8;

    private final KeyValueStore store;
    private final RangeRequest first;
    private final EventLoop loop;

    Listing(KeyValueStore store, RangeRequest first, EventLoop loop) {
        this.store = store;
        this.first = first;
        this.loop = loop;
    }

    /** Receives a listing, on the loop: its pages by ascending key, and then its end. */
    interface Reader {
        void page(List<KeyValue> items);

        void complete(long revision);

        void failed(Throwable cause);
    }

    void start(Reader reader) {
        read(first, reader);
    }

    private void read(RangeRequest request, Reader reader) {
        loop.when(store.range(request), page -> take(request, page, reader), reader::failed);
    }

    private void take(RangeRequest request, RangeResult page, Reader reader) {
        List<KeyValue> items = page.items();
        reader.page(items);
        long revision = request.revision() == 0 ? page.revision() : request.revision();
        if (!page.more() || items.isEmpty()) {
            reader.complete(revision);
            return;
        }
        KeyRange rest = first.range().after(items.get(items.size() - 1).key());
        read(new RangeRequest(rest, nextLimit(request.limit(), page), revision), reader);
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
