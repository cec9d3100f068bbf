// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.headmast.api.json.JsonFields;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which jobs an order to many is for; all conditions must hold. What holds no condition selects nothing: an order for
 * every job says so by {@link #ALL}.
 *
 * @param ids only these; no condition when empty
 * @param domain only this domain
 * @param status only with this order
 * @param phase only runs observed in this phase
 * @param worker only those placed on this worker
 * @param labels only those that carry all of these labels
 * @param all every job there is; it stands alone
 */
public record JobSelector(
        SortedSet<String> ids,
        Optional<String> domain,
        Optional<JobStatus> status,
        Optional<Phase> phase,
        Optional<String> worker,
        Map<String, String> labels,
        boolean all) {
    public static final int MAX_IDS = 10_000;

    /** No condition yet: a start for the {@code with} methods. */
    public static final JobSelector NONE = new JobSelector(
            Collections.emptySortedSet(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            false);

    /** Every job there is. */
    public static final JobSelector ALL = new JobSelector(
            Collections.emptySortedSet(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            true);

    /** @throws HeadmastException.Invalid naming the condition that is at fault */
    public JobSelector {
        if (ids.size() > MAX_IDS) {
            throw new HeadmastException.Invalid("ids", "must be at most " + MAX_IDS + "; send several orders");
        }
        ids.forEach(id -> Names.require("ids", id));
        domain.ifPresent(name -> Names.require("domain", name));
        worker.ifPresent(name -> Names.require("worker", name));
        ids = Collections.unmodifiableSortedSet(new TreeSet<>(ids));
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
        if (all && (!ids.isEmpty() || hasConditions(domain, status, phase, worker, labels))) {
            throw new HeadmastException.Invalid("all", "must stand alone; leave it out, or the other conditions");
        }
    }

    /** Exactly these jobs. */
    public static JobSelector ids(Collection<String> ids) {
        return NONE.withIds(ids);
    }

    public JobSelector withIds(Collection<String> value) {
        return new JobSelector(new TreeSet<>(value), domain, status, phase, worker, labels, all);
    }

    public JobSelector withDomain(String value) {
        return new JobSelector(ids, Optional.of(value), status, phase, worker, labels, all);
    }

    public JobSelector withStatus(JobStatus value) {
        return new JobSelector(ids, domain, Optional.of(value), phase, worker, labels, all);
    }

    public JobSelector withPhase(Phase value) {
        return new JobSelector(ids, domain, status, Optional.of(value), worker, labels, all);
    }

    public JobSelector withWorker(String value) {
        return new JobSelector(ids, domain, status, phase, Optional.of(value), labels, all);
    }

    public JobSelector withLabels(Map<String, String> value) {
        return new JobSelector(ids, domain, status, phase, worker, value, all);
    }

    /** Whether it holds no condition, and doesn't say that it means every job either. */
    public boolean isEmpty() {
        return !all && ids.isEmpty() && !hasConditions();
    }

    /** Whether anything but the ids has to hold. */
    public boolean hasConditions() {
        return hasConditions(domain, status, phase, worker, labels);
    }

    /** The query for what it selects, the ids left out. */
    public JobQuery query(int limit, Optional<String> cursor) {
        return new JobQuery(domain, status, phase, worker, labels, limit, cursor);
    }

    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        if (!ids.isEmpty()) {
            JsonArray array = new JsonArray(ids.size());
            ids.forEach(array::add);
            json.add("ids", array);
        }
        domain.ifPresent(name -> json.addProperty("domain", name));
        status.ifPresent(order -> json.addProperty("status", order.wireName()));
        phase.ifPresent(observed -> json.addProperty("state", observed.wireName()));
        worker.ifPresent(name -> json.addProperty("worker", name));
        if (!labels.isEmpty()) {
            json.add("labels", JobJson.strings(labels));
        }
        if (all) {
            json.addProperty("all", true);
        }
        return json;
    }

    /**
     * Reads what {@link #toJson()} wrote, or a person did.
     *
     * @throws HeadmastException.Invalid naming the field that is at fault, also a condition that isn't known: passing
     *     over it would select more than was meant
     */
    public static JobSelector fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json, "selector.");
        JobSelector selector = new JobSelector(
                new TreeSet<>(fields.strings("ids")),
                fields.string("domain"),
                fields.string("status").map(name -> Named.parse(JobStatus.class, "selector.status", name)),
                fields.string("state").map(name -> Named.parse(Phase.class, "selector.state", name)),
                fields.string("worker"),
                fields.stringMap("labels"),
                fields.flag("all"));
        fields.requireNoOthers();
        if (json.has("ids") && selector.ids().isEmpty()) {
            throw new HeadmastException.Invalid("selector.ids", "must name at least one job, or be left out");
        }
        return selector;
    }

    private static boolean hasConditions(
            Optional<String> domain,
            Optional<JobStatus> status,
            Optional<Phase> phase,
            Optional<String> worker,
            Map<String, String> labels) {
        return domain.isPresent() || status.isPresent() || phase.isPresent() || worker.isPresent() || !labels.isEmpty();
    }
}
