// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static io.headmast.server.JobsRestTest.assertProblem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.headmast.server.RunningService.Answer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Ids that are none are refused on every verb, however they are written, and never reach the store. */
class NamesOnEveryVerbTest {
    private static final RunningService SERVER = new RunningService();

    @AfterAll
    static void close() {
        SERVER.close();
    }

    /** As they would stand in a path. */
    private static final List<String> BAD = List.of(
            "a%2Fb",
            "%2F",
            "..%2Fjobs",
            "..",
            ".",
            "%2e%2e",
            "a%20b",
            "a+b",
            "a%00",
            "a%0A",
            "a%0D%0Ab",
            "%7F",
            "%C3%BC",
            "ü",
            "%FF",
            "a%252Fb",
            "a;b=c",
            "a%3Fb",
            "",
            "x".repeat(129));

    static Stream<Arguments> verbsAndNames() {
        List<List<String>> verbs = List.of(
                List.of("GET", "/jobs/"),
                List.of("HEAD", "/jobs/"),
                List.of("PUT", "/jobs/"),
                List.of("DELETE", "/jobs/"),
                List.of("PATCH", "/jobs/"),
                List.of("GET", "/watch/jobs/"),
                List.of("GET", "/workers/"),
                List.of("DELETE", "/workers/"));
        List<List<String>> orders = List.of(
                List.of("POST", "/jobs/", "/kill"),
                List.of("POST", "/jobs/", "/alive"),
                List.of("POST", "/jobs/", "/start"),
                List.of("POST", "/jobs/", "/stop"),
                List.of("POST", "/jobs/", "/load"),
                List.of("POST", "/jobs/", "/unload"),
                List.of("POST", "/jobs/", "/restart"),
                List.of("POST", "/workers/", "/cordon"),
                List.of("POST", "/workers/", "/uncordon"),
                List.of("POST", "/workers/", "/drain"));
        return Stream.concat(verbs.stream(), orders.stream())
                .flatMap(verb -> BAD.stream()
                        .map(name ->
                                Arguments.of(verb.get(0), verb.get(1) + name + (verb.size() > 2 ? verb.get(2) : ""))));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("verbsAndNames")
    void badNameInThePathIsRefused(String method, String path) {
        String[] answer =
                SERVER.raw(method + " /api/v1" + path + " HTTP/1.1", "").split("\r\n\r\n", 2);

        assertTrue(answer[0].startsWith("HTTP/1.1 400 "), answer[0]);
        assertTrue(method.equals("HEAD") || answer[1].contains("\"field\":\"id\""), answer[1]);
        assertEquals(List.of(), SERVER.core.jobs.ids());
    }

    static Stream<String> names() {
        return Stream.of(
                "a/b", "/", "..", ".", "a b", "a\u0000", "a\nb", "\u007f", "ü", "😀", "a%2Fb", "", "x".repeat(129));
    }

    @ParameterizedTest
    @MethodSource("names")
    void badNameInABodyIsRefused(String name) {
        for (String field : List.of("id", "domain")) {
            JsonObject job = new JsonObject();
            job.addProperty(field, name);

            Answer answer = SERVER.post("/api/v1/jobs", job.toString());

            assertProblem(answer, 400, "invalid");
            assertEquals(field, answer.text("field"));
        }
        assertEquals(List.of(), SERVER.core.jobs.ids());
    }

    @Test
    void oddButValidNamesGoEveryWhere() {
        String name = "A-z_0.9@x:y~" + "x".repeat(116);
        SERVER.post("/api/v1/jobs", "{\"id\":\"" + name + "\"}");

        Answer plain = SERVER.get("/api/v1/jobs/" + name);
        Answer escaped = SERVER.get("/api/v1/jobs/" + name.replace("@", "%40").replace(":", "%3a"));

        assertEquals(name, plain.text("id"));
        assertEquals(plain.body(), escaped.body());
        assertEquals(
                204,
                SERVER.send("DELETE", "/api/v1/jobs/" + name + "?wait=5s", "").status());
    }
}
