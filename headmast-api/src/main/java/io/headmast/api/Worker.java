// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.headmast.api.json.Json;
import io.headmast.api.json.JsonFields;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * A worker: a process that runs jobs, as it registers itself under {@code workers/} on its lease. Immutable.
 *
 * <p>The seed's fields are {@code id}, {@code workingJobs} and {@code killingJobs}. The two lists are views computed
 * from the keys and are not part of the stored registration.
 *
 * @param id unique in the cluster, kept over restarts
 * @param incarnation random per start: tells two lives of the same id apart
 * @param home identifies the data directory whose lock the process holds; empty when it has none
 * @param machine where it runs
 * @param domains the domains it has handlers for; empty means all
 * @param capacity the sum of weights it takes; empty means no limit
 * @param load a score the host application reports, for ties; rarely written
 * @param closing it takes nothing more and stops what it has
 * @param since when this incarnation registered
 * @param workingJobs the jobs placed on it
 * @param killingJobs the jobs it was told to stop
 */
public record Worker(
        String id,
        String incarnation,
        String home,
        Machine machine,
        Set<String> domains,
        OptionalLong capacity,
        OptionalDouble load,
        boolean closing,
        Instant since,
        List<String> workingJobs,
        List<String> killingJobs) {
    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public Worker {
        Names.require("id", id);
        domains.forEach(domain -> Names.require("domains", domain));
        if (capacity.isPresent() && capacity.getAsLong() < 0) {
            throw new HeadmastException.Invalid("capacity", "must not be negative");
        }
        domains = Collections.unmodifiableSortedSet(new TreeSet<>(domains));
        workingJobs = List.copyOf(workingJobs);
        killingJobs = List.copyOf(killingJobs);
    }

    /** Stands for a worker of that id of which nothing is registered. */
    public static Worker absent(String id) {
        return new Worker(
                id,
                "",
                "",
                new Machine("", "", "", Map.of(), "", 0, 0),
                Set.of(),
                OptionalLong.empty(),
                OptionalDouble.empty(),
                false,
                Instant.EPOCH,
                List.of(),
                List.of());
    }

    /** Whether it has a handler for the domain. */
    public boolean serves(String domain) {
        return domains.isEmpty() || domains.contains(domain);
    }

    public Worker withClosing(boolean value) {
        return new Worker(
                id, incarnation, home, machine, domains, capacity, load, value, since, workingJobs, killingJobs);
    }

    /** The same with the views filled in. */
    public Worker withJobs(List<String> working, List<String> killing) {
        return new Worker(id, incarnation, home, machine, domains, capacity, load, closing, since, working, killing);
    }

    /** The registration as it is stored, without the views. */
    public byte[] marshalBinary() {
        return Json.toPayload(registrationJson()).toByteArray();
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static Worker unmarshalBinary(byte[] bytes) {
        return fromJson(Json.parseObject(bytes));
    }

    /** With the views, as users are shown it. */
    public JsonObject toJson() {
        JsonObject json = registrationJson();
        json.add("workingJobs", strings(workingJobs));
        json.add("killingJobs", strings(killingJobs));
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static Worker fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        return new Worker(
                Names.require("id", fields.requiredString("id")),
                fields.string("incarnation").orElse(""),
                fields.string("home").orElse(""),
                Machine.fromJson(fields.object("machine").orElseGet(JsonObject::new)),
                Set.copyOf(fields.strings("domains")),
                fields.integer("capacity").map(OptionalLong::of).orElse(OptionalLong.empty()),
                fields.number("load").map(OptionalDouble::of).orElse(OptionalDouble.empty()),
                fields.flag("closing"),
                fields.instant("since").orElse(Instant.EPOCH),
                fields.strings("workingJobs"),
                fields.strings("killingJobs"));
    }

    private JsonObject registrationJson() {
        JsonObject json = new JsonObject();
        json.addProperty("id", id);
        json.addProperty("incarnation", incarnation);
        json.addProperty("home", home);
        json.add("machine", machine.toJson());
        json.add("domains", strings(domains));
        capacity.ifPresent(value -> json.addProperty("capacity", value));
        load.ifPresent(value -> json.addProperty("load", value));
        json.addProperty("closing", closing);
        json.addProperty("since", since.toString());
        return json;
    }

    private static JsonArray strings(Iterable<String> values) {
        JsonArray array = new JsonArray();
        values.forEach(array::add);
        return array;
    }
}
