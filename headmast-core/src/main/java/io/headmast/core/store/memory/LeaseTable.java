// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import io.headmast.api.HeadmastException;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.LeaseNotFoundException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The leases, their deadlines and the keys attached to them. Time comes in as nanoseconds that never run backwards; a
 * lease lives until its deadline is reached.
 */
final class LeaseTable {
    /** What etcd grants at least: one and a half of its election timeouts, in whole seconds. */
    static final Duration MIN_TTL = Duration.ofSeconds(2);

    /** etcd's limit. */
    static final long MAX_TTL_SECONDS = 9_000_000_000L;

    private static final class Entry {
        final long id;
        final Duration ttl;
        final TreeSet<String> keys = new TreeSet<>();
        long deadline;

        Entry(long id, Duration ttl) {
            this.id = id;
            this.ttl = ttl;
        }
    }

    private final Map<Long, Entry> leases = new TreeMap<>();
    private final TreeSet<Entry> byDeadline =
            new TreeSet<>(Comparator.<Entry>comparingLong(e -> e.deadline).thenComparingLong(e -> e.id));
    private long lastId;

    /** Grants a lease and tells its id, which is greater than any before. */
    long grant(Duration asked, long now) {
        Duration ttl = granted(asked);
        do {
            lastId++;
        } while (leases.containsKey(lastId));
        add(lastId, ttl, now);
        return lastId;
    }

    /** Grants a lease with an id of the caller's choice. */
    void grant(long id, Duration asked, long now) {
        Duration ttl = granted(asked);
        if (leases.containsKey(id)) {
            throw new LeaseExistsException(id);
        }
        add(id, ttl, now);
    }

    /** Takes over leases that were granted before, each with its full time, and the keys attached to them. */
    void restore(Map<Long, Duration> granted, List<KeyValue> items, long now) {
        granted.forEach((id, ttl) -> add(id, ttl, now));
        for (KeyValue item : items) {
            Entry entry = leases.get(item.lease());
            if (entry != null) {
                entry.keys.add(item.key());
            }
        }
    }

    /** Their ids, the one that lapses first before the others. */
    List<Long> ids() {
        return byDeadline.stream().map(entry -> entry.id).toList();
    }

    /** The keys attached to a lease, ascending. */
    List<String> keys(long id) {
        return List.copyOf(require(id).keys);
    }

    private void add(long id, Duration ttl, long now) {
        var entry = new Entry(id, ttl);
        leases.put(id, entry);
        prolong(entry, now);
    }

    void renew(long id, long now) {
        Entry entry = require(id);
        byDeadline.remove(entry);
        prolong(entry, now);
    }

    Duration ttl(long id) {
        return require(id).ttl;
    }

    Duration remaining(long id, long now) {
        return Duration.ofNanos(Math.max(0, require(id).deadline - now));
    }

    boolean isAlive(long id) {
        return leases.containsKey(id);
    }

    void requireAlive(long id) {
        require(id);
    }

    /** Ends a lease and tells the keys that were attached, ascending; none if there is no such lease. */
    List<String> remove(long id) {
        Entry entry = leases.remove(id);
        if (entry == null) {
            return List.of();
        }
        byDeadline.remove(entry);
        return new ArrayList<>(entry.keys);
    }

    /** The lease that has been due for longest at {@code now}. */
    OptionalLong due(long now) {
        return !byDeadline.isEmpty() && byDeadline.first().deadline <= now
                ? OptionalLong.of(byDeadline.first().id)
                : OptionalLong.empty();
    }

    /** When the next lease lapses unless it is renewed. */
    OptionalLong nextDeadline() {
        return byDeadline.isEmpty() ? OptionalLong.empty() : OptionalLong.of(byDeadline.first().deadline);
    }

    /** Follows a put: the key leaves the lease it had and joins the one that the put names. */
    void moved(String key, @Nullable KeyValue before, long lease) {
        if (before != null) {
            detached(before);
        }
        if (lease != 0) {
            require(lease).keys.add(key);
        }
    }

    /** Follows a deletion. */
    void detached(KeyValue before) {
        Entry entry = leases.get(before.lease());
        if (entry != null) {
            entry.keys.remove(before.key());
        }
    }

    private void prolong(Entry entry, long now) {
        entry.deadline = now + entry.ttl.toNanos();
        byDeadline.add(entry);
    }

    private Entry require(long id) {
        Entry entry = leases.get(id);
        if (entry == null) {
            throw new LeaseNotFoundException("lease " + Long.toHexString(id) + " does not exist (any more)");
        }
        return entry;
    }

    /** etcd counts TTLs in whole seconds; a fraction is rounded up, so that nobody gets less than asked for. */
    private static Duration granted(Duration asked) {
        if (asked.compareTo(Duration.ofSeconds(MAX_TTL_SECONDS)) > 0) {
            throw new HeadmastException.Invalid("ttl", "must be at most " + MAX_TTL_SECONDS + " s");
        }
        Duration whole = asked.getNano() == 0 ? asked : Duration.ofSeconds(asked.getSeconds() + 1);
        return whole.compareTo(MIN_TTL) < 0 ? MIN_TTL : whole;
    }
}
