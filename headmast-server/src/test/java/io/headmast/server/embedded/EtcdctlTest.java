// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.headmast.core.testing.EtcdServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A script for etcdctl on either store: its answers must be the same, field by field, and so must its exit codes. */
final class EtcdctlTest {
    private static final long LIMIT_SECONDS = 30;

    /** What differs from store to store, and from moment to moment. Of these it is only compared that they are there. */
    private static final Set<String> OWN = Set.of(
            "cluster_id",
            "member_id",
            "raft_term",
            "ID",
            "id",
            "leader",
            "raftTerm",
            "raftIndex",
            "raftAppliedIndex",
            "took",
            "endpoint",
            "Endpoint",
            "name",
            "clientURLs",
            "ttl");

    /** What is about files and peers, which the embedded store hasn't got. */
    private static final Set<String> NOT_THERE = Set.of("dbSize", "dbSizeInUse", "peerURLs");

    private EtcdPair pair;

    private record Answer(int code, String out) {}

    @BeforeEach
    void start() {
        pair = new EtcdPair();
    }

    @AfterEach
    void end() {
        pair.close();
    }

    @Test
    void scriptedAnswersAreTheSame() {
        same("", "put", "a", "1");
        same("", "put", "a", "2", "--prev-kv");
        same("", "put", "b", "1");
        same("", "put", "a", "--ignore-value", "--prev-kv");
        same("", "put", "none", "--ignore-value");
        same("", "get", "a");
        same("", "get", "a", "--rev=2");
        same("", "get", "a", "--rev=99");
        same("", "get", "", "--prefix", "--order=DESCEND", "--sort-by=MODIFY", "--limit=1");
        same("", "get", "a", "z", "--keys-only", "--consistency=s");
        same("", "get", "b", "--from-key", "--count-only");
        same("mod(\"a\") > \"0\"\nver(\"b\") = \"1\"\n\nput c 3\nget a\n\ndel c\n\n", "txn");
        same("value(\"a\") = \"other\"\n\nput c 4\n\ndel c\nget --prefix \"\"\n\n", "txn");
        same("", "del", "b", "--prev-kv");
        same("", "del", "b");
        same("", "compaction", "4");
        same("", "compaction", "4");
        same("", "get", "a", "--rev=3");
        same("", "member", "list");
        same("", "endpoint", "status");
        same("", "endpoint", "health");
        same("", "alarm", "list");
        same("", "alarm", "disarm");
        same("", "defrag");
        same("", "lease", "list");
        same("", "lease", "timetolive", "1234");
        same("", "lease", "keep-alive", "--once", "1234");
        same("", "lease", "revoke", "1234");
    }

    @Test
    void leaseLivesAndDiesTheSame() {
        String real = leaseOf(pair.etcd().endpoint());
        String embedded = leaseOf(pair.store().endpoint().toString());
        sameForEach(
                List.of("put", "bound", "x", "--lease=" + real), List.of("put", "bound", "x", "--lease=" + embedded));
        sameForEach(List.of("lease", "timetolive", real, "--keys"), List.of("lease", "timetolive", embedded, "--keys"));
        same("", "lease", "list");
        sameForEach(List.of("lease", "keep-alive", "--once", real), List.of("lease", "keep-alive", "--once", embedded));
        sameForEach(List.of("lease", "revoke", real), List.of("lease", "revoke", embedded));
        same("", "get", "bound");
    }

    @Test
    void watchFromTheRevisionTellsTheSame() {
        same("", "put", "w/1", "one");
        same("", "put", "w/1", "two");
        same("", "del", "w/1");
        assertEquals(
                watched(pair.etcd().endpoint()), watched(pair.store().endpoint().toString()));
    }

    private void same(String input, String... arguments) {
        sameForEach(List.of(arguments), List.of(arguments), input);
    }

    private void sameForEach(List<String> ofReal, List<String> ofEmbedded) {
        sameForEach(ofReal, ofEmbedded, "");
    }

    private void sameForEach(List<String> ofReal, List<String> ofEmbedded, String input) {
        Answer expected = etcdctl(pair.etcd().endpoint(), ofReal, input);
        Answer seen = etcdctl(pair.store().endpoint().toString(), ofEmbedded, input);
        assertEquals(expected.code(), seen.code(), () -> ofEmbedded + ": " + expected + " " + seen);
        assertEquals(normal(expected.out()), normal(seen.out()), ofEmbedded::toString);
    }

    private static String leaseOf(String endpoint) {
        Answer granted = etcdctl(endpoint, List.of("lease", "grant", "3600"), "");
        long id = JsonParser.parseString(granted.out())
                .getAsJsonObject()
                .get("ID")
                .getAsLong();
        return Long.toHexString(id);
    }

    /** The events of the three changes: of a watch that ends once it has seen them. */
    private static String watched(String endpoint) {
        List<String> command = new ArrayList<>(EtcdServer.etcdctlAt(endpoint));
        command.addAll(List.of("-w", "json", "watch", "w/", "--prefix", "--prev-kv", "--rev=2"));
        try {
            Process process = new ProcessBuilder(command).start();
            try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
                StringBuilder events = new StringBuilder();
                for (int count = 0; count < 3; ) {
                    JsonArray told = JsonParser.parseString(lines.readLine())
                            .getAsJsonObject()
                            .getAsJsonArray("Events");
                    count += told.size();
                    told.forEach(event -> events.append(event).append('\n'));
                }
                return events.toString();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Answer etcdctl(String endpoint, List<String> arguments, String input) {
        List<String> command = new ArrayList<>(EtcdServer.etcdctlAt(endpoint));
        command.addAll(List.of("-w", "json"));
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(command + " does not end");
            }
            return new Answer(process.exitValue(), out.strip());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String normal(String out) {
        return out.startsWith("{") || out.startsWith("[")
                ? normal(JsonParser.parseString(out)).toString()
                : out.replaceAll("http://\\S+", "<endpoint>").replaceAll("\\b[0-9a-f]{13,16}\\b", "<id>");
    }

    private static JsonElement normal(JsonElement element) {
        if (element instanceof JsonArray array) {
            JsonArray copy = new JsonArray();
            array.forEach(each -> copy.add(normal(each)));
            return copy;
        }
        if (element instanceof JsonObject object) {
            JsonObject copy = new JsonObject();
            new TreeMap<>(object.asMap()).forEach((name, value) -> {
                if (!NOT_THERE.contains(name)) {
                    copy.add(name, OWN.contains(name) ? new JsonObject() : normal(value));
                }
            });
            return copy;
        }
        return element;
    }
}
