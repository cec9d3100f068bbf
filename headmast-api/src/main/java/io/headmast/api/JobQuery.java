// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which jobs to list; all conditions must hold.
 *
 * @param domain only this domain
 * @param status only with this order
 * @param phase only runs observed in this phase
 * @param worker only those placed on this worker
 * @param labels only those that carry all of these labels
 * @param limit the most items of a page, 1 to {@value #MAX_LIMIT}
 * @param cursor where to go on: the {@code next} of the page before
 */
public record JobQuery(
        Optional<String> domain,
        Optional<JobStatus> status,
        Optional<Phase> phase,
        Optional<String> worker,
        Map<String, String> labels,
        int limit,
        Optional<String> cursor) {
    public static final int MAX_LIMIT = 1000;
    public static final int DEFAULT_LIMIT = 100;

    /** Every job, in pages of the default size. */
    public static final JobQuery ALL = new JobQuery(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            DEFAULT_LIMIT,
            Optional.empty());

    /** @throws HeadmastException.Invalid naming the condition that is at fault */
    public JobQuery {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new HeadmastException.Invalid("limit", "must lie between 1 and " + MAX_LIMIT);
        }
        domain.ifPresent(name -> Names.require("domain", name));
        worker.ifPresent(name -> Names.require("worker", name));
        cursor.ifPresent(name -> Names.require("cursor", name));
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public JobQuery withDomain(String value) {
        return new JobQuery(Optional.of(value), status, phase, worker, labels, limit, cursor);
    }

    public JobQuery withStatus(JobStatus value) {
        return new JobQuery(domain, Optional.of(value), phase, worker, labels, limit, cursor);
    }

    public JobQuery withPhase(Phase value) {
        return new JobQuery(domain, status, Optional.of(value), worker, labels, limit, cursor);
    }

    public JobQuery withWorker(String value) {
        return new JobQuery(domain, status, phase, Optional.of(value), labels, limit, cursor);
    }

    /** The same with these labels in place of the earlier ones. */
    public JobQuery withLabels(Map<String, String> value) {
        return new JobQuery(domain, status, phase, worker, value, limit, cursor);
    }

    public JobQuery withLimit(int value) {
        return new JobQuery(domain, status, phase, worker, labels, value, cursor);
    }

    /** The same from the page on that {@code next} names. */
    public JobQuery from(String next) {
        return new JobQuery(domain, status, phase, worker, labels, limit, Optional.of(next));
    }
}
