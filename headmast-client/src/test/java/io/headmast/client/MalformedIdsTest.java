// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobQuery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Scenario 29 in the SDK: what is no id is refused on every verb, and never leaves the process. */
class MalformedIdsTest {
    static final List<String> NO_IDS =
            List.of("", "/", "a/b", "%2F", "a%2Fb", "..", ".", "a b", "a\nb", "a\0", "ä", "日本", "a".repeat(129));

    @ParameterizedTest
    @FieldSource("NO_IDS")
    void everyVerbRefusesThem(String id) {
        try (ScriptedServer server = ScriptedServer.answering();
                HeadmastClient client = Clients.of(server)) {
            verbs().forEach((name, verb) ->
                    assertThrows(HeadmastException.Invalid.class, () -> verb.apply(client, id), name));
            asyncVerbs().forEach((name, verb) -> {
                CompletableFuture<?> refused = verb.apply(client.async(), id);
                assertInstanceOf(
                        HeadmastException.Invalid.class,
                        assertThrows(ExecutionException.class, refused::get, name)
                                .getCause());
            });
            assertThrows(HeadmastException.Invalid.class, () -> client.getJobsWithDomain(id));
            assertThrows(HeadmastException.Invalid.class, () -> JobQuery.ALL.withWorker(id));
            assertEquals(0, server.requests());
        }
    }

    @Test
    void anActionThatDoesNotExistIsRefused() {
        try (ScriptedServer server = ScriptedServer.answering();
                HeadmastClient client = Clients.of(server)) {
            HeadmastException failure =
                    assertThrows(HeadmastException.Invalid.class, () -> client.controlJob("a", "Kill"));

            assertEquals("action must be one of kill, alive, start, stop, load, unload, restart", failure.detail());
            assertEquals(0, server.requests());
        }
    }

    private static Map<String, BiFunction<HeadmastClient, String, Object>> verbs() {
        Map<String, BiFunction<HeadmastClient, String, Object>> verbs = new LinkedHashMap<>();
        verbs.put("getJob", HeadmastClient::getJob);
        verbs.put("deleteJob", HeadmastClient::deleteJob);
        for (JobAction action : JobAction.values()) {
            verbs.put(action.wireName(), (client, id) -> client.controlJob(id, action));
            verbs.put(action.wireName() + " by name", (client, id) -> client.controlJob(id, action.wireName()));
            verbs.put(action.wireName() + " at", (client, id) -> client.controlJob(id, action, 7));
        }
        verbs.put("getWorker", HeadmastClient::getWorker);
        verbs.put("cordonWorker", (client, id) -> client.cordonWorker(id, ""));
        verbs.put("drainWorker", (client, id) -> client.drainWorker(id, ""));
        verbs.put("uncordonWorker", HeadmastClient::uncordonWorker);
        verbs.put("removeWorker", HeadmastClient::removeWorker);
        // A builder gives a job without an id one of its own.
        verbs.put(
                "createNewJob",
                (client, id) -> client.createNewJob(Job.builder().domain(id).build()));
        return verbs;
    }

    private static Map<String, BiFunction<AsyncHeadmastClient, String, CompletableFuture<?>>> asyncVerbs() {
        Map<String, BiFunction<AsyncHeadmastClient, String, CompletableFuture<?>>> verbs = new LinkedHashMap<>();
        verbs.put("getJob", AsyncHeadmastClient::getJob);
        verbs.put("getJobsWithDomain", AsyncHeadmastClient::getJobsWithDomain);
        verbs.put("deleteJob", AsyncHeadmastClient::deleteJob);
        verbs.put("controlJob", (client, id) -> client.controlJob(id, JobAction.KILL));
        verbs.put("controlJob by name", (client, id) -> client.controlJob(id, "kill"));
        verbs.put("controlJob at", (client, id) -> client.controlJob(id, JobAction.KILL, 7));
        verbs.put("getWorker", AsyncHeadmastClient::getWorker);
        verbs.put("cordonWorker", (client, id) -> client.cordonWorker(id, ""));
        verbs.put("drainWorker", (client, id) -> client.drainWorker(id, ""));
        verbs.put("uncordonWorker", AsyncHeadmastClient::uncordonWorker);
        verbs.put("removeWorker", AsyncHeadmastClient::removeWorker);
        return verbs;
    }
}
