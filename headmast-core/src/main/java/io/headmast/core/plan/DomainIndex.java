// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The jobs of each domain, by ascending id. */
final class DomainIndex {
    private final Map<String, SortedIds> domains = new TreeMap<>();

    /** A job's domain was that and is this; empty while it has no record that can be read. */
    void moved(String jobId, Optional<String> before, Optional<String> after) {
        if (before.equals(after)) {
            return;
        }
        before.ifPresent(domain -> remove(domain, jobId));
        after.ifPresent(domain ->
                domains.computeIfAbsent(domain, name -> new SortedIds()).add(jobId));
    }

    /** The jobs of the domain after {@code id}; valid until something changes. */
    Iterator<String> after(String domain, String id) {
        SortedIds ids = domains.get(domain);
        return ids == null ? Collections.emptyIterator() : ids.after(id);
    }

    private void remove(String domain, String jobId) {
        SortedIds ids = domains.get(domain);
        if (ids != null) {
            ids.remove(jobId);
            if (ids.isEmpty()) {
                domains.remove(domain);
            }
        }
    }

    /** How many jobs each domain has. */
    @Override
    public String toString() {
        Map<String, Integer> sizes = new TreeMap<>();
        domains.forEach((domain, ids) -> sizes.put(domain, ids.size()));
        return sizes.toString();
    }
}
