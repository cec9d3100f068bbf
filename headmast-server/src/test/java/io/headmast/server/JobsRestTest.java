// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.headmast.server.RunningService.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobsRestTest {
    private static final String JOBS = "/api/v1/jobs";

    private final RunningService server = new RunningService();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void newJobIsCreatedAndSaysWhereItIs() {
        Answer answer = server.post(JOBS, "{\"id\":\"chain-7\",\"domain\":\"eu\",\"payload\":\"aGk=\"}");

        assertEquals(201, answer.status(), answer.body());
        assertEquals("/api/v1/jobs/chain-7", answer.header("Location"));
        assertEquals('"' + answer.json().get("revision").getAsString() + '"', answer.header("ETag"));
        assertEquals("application/json", answer.header("Content-Type"));
        JsonObject state = answer.json().getAsJsonObject("state");
        assertEquals("pending", state.get("state").getAsString());
        assertEquals(answer.json(), server.get(JOBS + "/chain-7").json());
    }

    @Test
    void jobWithoutIdGetsOne() {
        Answer answer = server.post(JOBS, "{\"payload\":\"aGk=\"}");

        assertEquals(201, answer.status());
        assertEquals(List.of(answer.text("id")), server.core.jobs.ids());
    }

    @Test
    void creatingTheSameJobAgainIsNoError() {
        server.post(JOBS, "{\"id\":\"a\"}");

        Answer again = server.post(JOBS, "{\"id\":\"a\",\"generation\":9,\"revision\":3,\"state\":{}}");

        assertEquals(200, again.status(), again.body());
        assertEquals("", again.header("Location"));
    }

    @Test
    void creatingAnotherJobOfThatIdIsRefused() {
        server.post(JOBS, "{\"id\":\"a\"}");

        assertProblem(server.post(JOBS, "{\"id\":\"a\",\"weight\":2}"), 409, "already-exists");
    }

    @Test
    void creatingAJobThatIsBeingDeletedIsRefused() {
        server.post(JOBS, "{\"id\":\"a\"}");
        server.core.jobs.run("a", "w-1");
        server.send("DELETE", JOBS + "/a", "");

        assertProblem(server.post(JOBS, "{\"id\":\"a\"}"), 409, "conflict");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "id         | {\"id\":\"a/b\"}",
                "id         | {\"id\":\"\"}",
                "id         | {\"id\":7}",
                "domain     | {\"domain\":\"ü\"}",
                "payload    | {\"payload\":\"!\"}",
                "status     | {\"status\":\"paused\"}",
                "status     | {\"status\":\"deleting\"}",
                "targetState| {\"targetState\":\"up\"}",
                "weight     | {\"weight\":0}",
                "labels.x   | {\"labels\":{\"x\":1}}",
                "requirements | {\"requirements\":{\"global\":true}}",
                "priority   | {\"priority\":1}",
                "maxRunTime | {\"maxRunTime\":\"0s\"}",
                "maxRunTime | {\"maxRunTime\":3600}",
                "retainFor  | {\"retainFor\":\"a day\"}",
                "retainFor  | {\"retainFor\":\"36501d\"}",
                "signatures | {\"signatures\":[\"x\"]}",
            })
    void invalidJobIsRefusedNamingTheField(String field, String body) {
        Answer answer = server.post(JOBS, body);

        assertProblem(answer, 400, "invalid");
        assertEquals(field, answer.text("field"));
        assertTrue(answer.text("detail").startsWith(field + " "), answer.body());
        assertTrue(server.core.jobs.ids().isEmpty());
    }

    @Test
    void unsupportedMembersThatAskForNothingAreAccepted() {
        String body = "{\"requirements\":{},\"priority\":0,\"maxRunTime\":null,\"signatures\":[]}";

        assertEquals(201, server.post(JOBS, body).status());
    }

    @Test
    void timesOfAJobAreShownAndReplaced() {
        Answer created = server.post(JOBS, "{\"id\":\"a\",\"maxRunTime\":\"60m\",\"retainFor\":\"24h\"}");
        assertEquals(201, created.status(), created.body());
        assertEquals("1h", created.text("maxRunTime"));
        assertEquals("1d", server.get(JOBS + "/a").text("retainFor"));

        Answer updated = server.send("PUT", JOBS + "/a", "{\"retainFor\":\"2h\"}");

        assertEquals("2h", updated.text("retainFor"));
        assertFalse(updated.json().has("maxRunTime"), "a member that is left out takes its default");
        assertEquals(1, updated.json().get("generation").getAsLong(), "it disturbs nothing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[]", "{\"a\":1,\"a\":2}", "{\"weight\":NaN}", "7", "{} {}"})
    void malformedJsonIsRefused(String body) {
        assertProblem(server.post(JOBS, body), 400, "invalid");
    }

    @Test
    void missingBodyIsRefused() {
        assertProblem(server.post(JOBS, ""), 400, "invalid");
    }

    @Test
    void unknownMembersSurviveAnUpdate() {
        server.post(JOBS, "{\"id\":\"a\",\"future\":{\"x\":9007199254740993}}");
        String shown = server.get(JOBS + "/a").body();

        Answer updated = server.send("PUT", JOBS + "/a", shown);

        assertEquals(200, updated.status(), updated.body());
        assertEquals("{\"x\":9007199254740993}", updated.json().get("future").toString());
    }

    @Test
    void listShowsWhatTheQueryAsksFor() {
        server.post(JOBS, "{\"id\":\"a\",\"domain\":\"eu\",\"labels\":{\"team\":\"x=y\"}}");
        server.post(JOBS, "{\"id\":\"b\",\"domain\":\"eu\"}");
        server.post(JOBS, "{\"id\":\"c\",\"domain\":\"us\",\"status\":\"killed\"}");
        server.core.jobs.run("b", "w-1");

        assertEquals(List.of("a", "b"), ids("?domain=eu"));
        assertEquals(List.of("c"), ids("?status=killed"));
        assertEquals(List.of("b"), ids("?state=running"));
        assertEquals(List.of("b"), ids("?worker=w-1&domain=eu"));
        assertEquals(List.of("a"), ids("?label=team%3Dx%3Dy"));
    }

    @Test
    void pagesFollowEachOther() {
        for (String id : List.of("a", "b", "c")) {
            server.post(JOBS, "{\"id\":\"" + id + "\"}");
        }

        Answer first = server.get(JOBS + "?limit=2");
        Answer second = server.get(JOBS + "?limit=2&cursor=" + first.text("next"));

        assertEquals(2, first.json().getAsJsonArray("items").size());
        assertEquals(1, second.json().getAsJsonArray("items").size());
        assertFalse(second.json().has("next"));
    }

    @ParameterizedTest
    @CsvSource({
        "colour, ?colour=red",
        "limit,  ?limit=0",
        "limit,  ?limit=many",
        "limit,  ?limit=1&limit=2",
        "state,  ?state=up",
        "status, ?status=up",
        "label,  ?label=team",
        "label,  ?label=a%3D1&label=a%3D2",
        "domain, ?domain=a%2Fb",
        "domain, ?domain=%FF",
        "cursor, ?cursor=%20"
    })
    void queryThatIsNotUnderstoodIsRefused(String field, String query) {
        Answer answer = server.get(JOBS + query);

        assertProblem(answer, 400, "invalid");
        assertEquals(field, answer.text("field"));
    }

    @Test
    void unknownQueryParameterSaysWhichThereAre() {
        assertTrue(server.get(JOBS + "?colour=red").text("detail").contains("domain, status, state, worker, label"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "DELETE"})
    void jobThatIsNotThereIsNotFound(String method) {
        assertProblem(server.send(method, JOBS + "/nobody", method.equals("PUT") ? "{}" : ""), 404, "not-found");
    }

    @Test
    void updateOfWhatWasSeenIsCarriedOut() {
        String seen = server.post(JOBS, "{\"id\":\"a\"}").header("ETag");

        Answer updated = server.send("PUT", JOBS + "/a", "{\"payload\":\"aGk=\"}", "If-Match", seen);

        assertEquals(200, updated.status());
        assertEquals(2, updated.json().get("generation").getAsLong());
        assertProblem(server.send("PUT", JOBS + "/a", "{}", "If-Match", seen), 412, "precondition-failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "\"1\", \"2\"", "W/\"1\"", "99999999999999999999", "-1"})
    void malformedPreconditionIsRefused(String ifMatch) {
        server.post(JOBS, "{\"id\":\"a\"}");

        Answer answer = server.send("POST", JOBS + "/a/kill", "", "If-Match", ifMatch);

        assertProblem(answer, 400, "invalid");
        assertEquals("If-Match", answer.text("field"));
    }

    @Test
    void updateThatDoesNotRepeatAnOrderLeavesItStanding() {
        server.post(JOBS, "{\"id\":\"a\",\"status\":\"killed\"}");

        assertEquals("killed", server.send("PUT", JOBS + "/a", "{\"weight\":2}").text("status"));
        assertEquals(
                "created",
                server.send("PUT", JOBS + "/a", "{\"status\":\"created\"}").text("status"));
    }

    @Test
    void updateCannotRenameAJob() {
        server.post(JOBS, "{\"id\":\"a\"}");

        assertEquals("id", server.send("PUT", JOBS + "/a", "{\"id\":\"b\"}").text("field"));
    }

    @ParameterizedTest
    @CsvSource({
        "kill, status, killed",
        "alive, status, created",
        "start, targetState, launched",
        "stop, targetState, inactive",
        "load, targetState, loaded",
        "unload, targetState, inactive",
        "restart, generation, 2"
    })
    void orderIsCarriedOutAndShown(String action, String member, String value) {
        String seen = server.post(JOBS, "{\"id\":\"a\"}").header("ETag").replace("\"", "");

        Answer answer = server.send("POST", JOBS + "/a/" + action, "", "If-Match", seen);

        assertEquals(200, answer.status(), answer.body());
        assertEquals(value, answer.text(member));
        assertProblem(server.send("POST", JOBS + "/a/" + action, "", "If-Match", seen), 412, "precondition-failed");
    }

    @Test
    void unknownOrderSaysWhichThereAre() {
        server.post(JOBS, "{\"id\":\"a\"}");

        Answer answer = server.post(JOBS + "/a/explode", "");

        assertProblem(answer, 400, "invalid");
        assertEquals("action", answer.text("field"));
        assertTrue(answer.text("detail").contains("kill, alive, start"));
    }

    @Test
    void deletionIsAcknowledgedWhileTheRunIsBeingStopped() {
        server.post(JOBS, "{\"id\":\"a\"}");
        server.core.jobs.run("a", "w-1");

        Answer answer = server.send("DELETE", JOBS + "/a", "");

        assertEquals(202, answer.status());
        assertEquals("deleting", answer.text("status"));
    }

    @Test
    void deletionMayWaitUntilTheJobIsGone() {
        server.post(JOBS, "{\"id\":\"a\"}");

        Answer answer = server.send("DELETE", JOBS + "/a?wait=5s", "");

        assertEquals(204, answer.status(), answer.body());
        assertEquals("", answer.body());
        assertEquals(0, server.core.jobs.observers());
    }

    @Test
    void deletionWaitsNoLongerThanAsked() {
        server.post(JOBS, "{\"id\":\"a\"}");
        server.core.jobs.run("a", "w-1");

        assertEquals(202, server.send("DELETE", JOBS + "/a?wait=10ms", "").status());
        assertProblem(server.send("DELETE", JOBS + "/a?wait=31s", ""), 400, "invalid");
        assertProblem(server.send("DELETE", JOBS + "/a?wait=soon", ""), 400, "invalid");
        assertEquals(0, server.core.jobs.observers());
    }

    private List<String> ids(String query) {
        return server.get(JOBS + query).json().getAsJsonArray("items").asList().stream()
                .map(item -> item.getAsJsonObject().get("id").getAsString())
                .toList();
    }

    static void assertProblem(Answer answer, int status, String type) {
        assertEquals(status, answer.status(), answer.body());
        assertEquals("application/problem+json", answer.header("Content-Type"));
        assertEquals("urn:headmast:" + type, answer.text("type"));
        assertEquals(status, answer.json().get("status").getAsInt());
        assertFalse(answer.text("title").isBlank());
        assertFalse(answer.text("detail").isBlank());
        assertFalse(answer.body().contains("Exception"), answer.body());
    }
}
