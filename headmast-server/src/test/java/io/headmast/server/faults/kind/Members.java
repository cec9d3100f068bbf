// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import com.google.gson.JsonObject;
import io.headmast.api.json.Json;
import io.headmast.core.testing.Await;
import io.headmast.core.testing.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The members of an etcd: one, or three. */
public final class Members implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<EtcdServer> all;

    public Members(List<EtcdServer> all) {
        this.all = List.copyOf(all);
    }

    public List<EtcdServer> all() {
        return all;
    }

    /** As clients take them. */
    public String endpoints() {
        return all.stream().map(EtcdServer::endpoint).collect(Collectors.joining(","));
    }

    boolean areSeveral() {
        return all.size() > 1;
    }

    /** One of them; every other time the one that leads. */
    EtcdServer some(Random random) {
        return random.nextBoolean() ? leader() : all.get(random.nextInt(all.size()));
    }

    /** The one that leads. */
    EtcdServer leader() {
        List<EtcdServer> found = new ArrayList<>();
        Await.until("etcd has a leader", LIMIT, () -> {
            all.stream().filter(Members::leads).forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    /** As etcdctl takes it. */
    static String id(EtcdServer member) {
        return Long.toHexString(id(status(member).getAsJsonObject("header"), "member_id"));
    }

    /** Starts those again that were killed: together, since none is healthy alone. */
    static void revive(List<EtcdServer> dead) {
        List<CompletableFuture<Void>> starts = dead.stream()
                .map(member -> CompletableFuture.runAsync(member::restart))
                .toList();
        starts.forEach(start -> Await.value(start, LIMIT));
    }

    @Override
    public void close() {
        all.forEach(EtcdServer::close);
    }

    private static boolean leads(EtcdServer member) {
        return asked(member)
                .filter(status -> id(status, "leader") == id(status.getAsJsonObject("header"), "member_id"))
                .isPresent();
    }

    private static Optional<JsonObject> asked(EtcdServer member) {
        try {
            return Optional.of(status(member));
        } catch (AssertionError e) {
            return Optional.empty();
        }
    }

    private static JsonObject status(EtcdServer member) {
        String json = member.etcdctl("endpoint", "status", "-w", "json");
        return Json.parse(json.getBytes(StandardCharsets.UTF_8))
                .getAsJsonArray()
                .get(0)
                .getAsJsonObject()
                .getAsJsonObject("Status");
    }

    /** Ids are unsigned. */
    private static long id(JsonObject json, String name) {
        return Long.parseUnsignedLong(json.get(name).getAsString());
    }
}
