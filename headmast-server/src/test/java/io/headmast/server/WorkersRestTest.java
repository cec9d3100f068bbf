// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static io.headmast.server.JobsRestTest.assertProblem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonObject;
import io.headmast.server.RunningService.Answer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkersRestTest {
    private static final String WORKERS = "/api/v1/workers";

    private final RunningService server = new RunningService();

    @BeforeEach
    void join() {
        server.core.workers.join("w-1");
        server.core.workers.join("w-2");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void workersAreListedAndShown() {
        Answer list = server.get(WORKERS);

        assertEquals(2, list.json().getAsJsonArray("items").size());
        assertEquals(
                list.json().getAsJsonArray("items").get(0),
                server.get(WORKERS + "/w-1").json());
        assertProblem(server.get(WORKERS + "/w-3"), 404, "not-found");
    }

    @ParameterizedTest
    @CsvSource({"cordon, cordon", "drain, drain"})
    void cordonSaysWhoAndWhyAndSinceWhen(String order, String mode) {
        Answer answer = server.post(WORKERS + "/w-1/" + order, "{\"reason\":\"new disk\",\"by\":\"ann\"}");

        assertEquals(200, answer.status(), answer.body());
        JsonObject cordon = answer.json().getAsJsonObject("cordon");
        assertEquals(mode, cordon.get("mode").getAsString());
        assertEquals("new disk", cordon.get("reason").getAsString());
        assertEquals("ann", cordon.get("by").getAsString());
        assertFalse(cordon.get("since").getAsString().isEmpty());
    }

    @Test
    void cordonIsSetWithoutWordsAndLifted() {
        assertEquals(200, server.post(WORKERS + "/w-1/cordon", "").status());
        assertFalse(server.post(WORKERS + "/w-1/uncordon", "").json().has("cordon"));
        assertProblem(server.post(WORKERS + "/w-3/drain", ""), 404, "not-found");
    }

    @Test
    void reasonThatIsNoTextOrTooLongIsRefused() {
        assertEquals(
                "reason", server.post(WORKERS + "/w-1/cordon", "{\"reason\":1}").text("field"));
        String essay = "{\"by\":\"" + "x".repeat(1025) + "\"}";
        assertEquals("by", server.post(WORKERS + "/w-1/drain", essay).text("field"));
    }

    @Test
    void onlyADeadWorkerIsForgotten() {
        server.post(WORKERS + "/w-1/cordon", "");
        assertProblem(server.send("DELETE", WORKERS + "/w-1", ""), 409, "conflict");

        server.core.workers.die("w-1");

        assertEquals(204, server.send("DELETE", WORKERS + "/w-1", "").status());
        assertProblem(server.send("DELETE", WORKERS + "/w-1", ""), 404, "not-found");
    }

    @Test
    void otherOrdersToWorkersAreUnknownPaths() {
        assertProblem(server.post(WORKERS + "/w-1/explode", ""), 404, "not-found");
    }

    @Test
    void clusterIsShown() {
        Answer answer = server.get("/api/v1/cluster");

        assertEquals(200, answer.status());
        assertEquals("s-1", answer.json().getAsJsonObject("leader").get("id").getAsString());
    }
}
