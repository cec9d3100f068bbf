// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.Payload;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The payloads of records that were read lately, by the bytes they take. Thread-safe. */
final class PayloadCache {
    /** What an entry takes beside its payload, roughly. */
    private static final int OVERHEAD = 200;

    private final long capacity;
    private final Map<Version, Payload> payloads = new LinkedHashMap<>();
    private long bytes;

    PayloadCache(long capacity) {
        this.capacity = capacity;
    }

    /**
     * One version of a job's record.
     *
     * @param revision the record's modification revision
     */
    record Version(String jobId, long revision) {}

    synchronized Optional<Payload> get(Version version) {
        return Optional.ofNullable(payloads.get(version));
    }

    synchronized void put(Version version, Payload payload) {
        if (payloads.putIfAbsent(version, payload) == null) {
            bytes += OVERHEAD + payload.size();
        }
        Iterator<Payload> oldest = payloads.values().iterator();
        while (bytes > capacity && payloads.size() > 1) {
            bytes -= OVERHEAD + oldest.next().size();
            oldest.remove();
        }
    }

    synchronized void clear() {
        payloads.clear();
        bytes = 0;
    }
}
