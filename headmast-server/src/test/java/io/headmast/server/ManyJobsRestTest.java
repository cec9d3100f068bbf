// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static io.headmast.server.JobsRestTest.assertProblem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.server.RunningService.Answer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The forms in which many jobs are sent at once, and what is said of each. */
class ManyJobsRestTest {
    private static final String BATCH = "/api/v1/jobs:batch";
    private static final String ORDERS = "/api/v1/jobs:orders";

    private final RunningService server = new RunningService();

    @AfterEach
    void close() {
        server.close();
    }

    private Answer ndjson(String body) {
        return server.send("POST", BATCH, body, "Content-Type", "application/x-ndjson; charset=utf-8");
    }

    private static List<JsonObject> items(Answer answer) {
        assertEquals(200, answer.status(), answer.body());
        return answer.json().getAsJsonArray("items").asList().stream()
                .map(item -> item.getAsJsonObject())
                .toList();
    }

    private static List<Integer> statuses(Answer answer) {
        return items(answer).stream().map(item -> item.get("status").getAsInt()).toList();
    }

    @Test
    void everyJobOfAnArrayHasItsOutcomeInOrder() {
        server.post("/api/v1/jobs", "{\"id\":\"b\",\"weight\":2}");

        Answer answer = server.post(
                BATCH,
                "[{\"id\":\"c\"},{\"id\":\"b\"},{\"id\":\"a\",\"weight\":0},7,{\"id\":\"c\"},{\"domain\":\"eu\"},{\"id\":\"x/y\"}]");

        assertEquals(List.of(201, 409, 400, 400, 200, 201, 400), statuses(answer));
        List<JsonObject> items = items(answer);
        assertEquals("c", items.get(0).get("id").getAsString());
        assertTrue(items.get(0).get("revision").getAsLong() > 0);
        JsonObject problem = items.get(2).getAsJsonObject("problem");
        assertEquals("a", items.get(2).get("id").getAsString());
        assertEquals("urn:headmast:invalid", problem.get("type").getAsString());
        assertEquals("weight", problem.get("field").getAsString());
        assertEquals("x/y", items.get(6).get("id").getAsString());
        assertTrue(server.core.jobs.ids().contains(items.get(5).get("id").getAsString()));
        assertEquals(3, server.core.jobs.ids().size());
    }

    @Test
    void malformedLineIsItsOwnOutcome() {
        Answer answer = ndjson("\n{\"id\":\"a\"}\r\n\n  \n{\"id\":\n[]\n{\"id\":\"b\",\"id\":\"b\"}\n{\"id\":\"c\"}");

        assertEquals(List.of(201, 400, 400, 400, 201), statuses(answer));
        assertEquals(List.of("a", "c"), server.core.jobs.ids());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[",
                "[{\"id\":\"a\"},]",
                "[{\"id\":\"a\"}] x",
                "{\"id\":\"a\"}",
                "[{\"id\":\"a\",\"id\":\"b\"}]"
            })
    void malformedArrayIsRefusedAsAWhole(String body) {
        assertProblem(server.post(BATCH, body), 400, "invalid");
        assertTrue(server.core.jobs.ids().isEmpty());
    }

    @Test
    void emptyBatchIsEmptyAndNoBodyIsAnError() {
        assertEquals(List.of(), statuses(server.post(BATCH, "[]")));
        assertEquals(List.of(), statuses(ndjson("\n\n")));
        assertProblem(server.post(BATCH, ""), 400, "invalid");
    }

    @Test
    void jobThatIsTooLargeIsItsOwnOutcome() {
        String payload = "A".repeat(ServingOptions.DEFAULT_PAYLOAD_LIMIT / 3 * 4 + 8);

        Answer answer = server.post(BATCH, "[{\"id\":\"a\",\"payload\":\"" + payload + "\"},{\"id\":\"b\"}]");

        assertEquals(List.of(413, 201), statuses(answer));
    }

    @Test
    void batchMayBeLargerThanASingleJobAndHasALimitOfItsOwn() {
        String payload = "A".repeat(600_000);
        String three = IntStream.range(0, 3)
                .mapToObj(i -> "{\"id\":\"j" + i + "\",\"payload\":\"" + payload + "\"}")
                .collect(Collectors.joining("\n"));
        assertEquals(List.of(201, 201, 201), statuses(ndjson(three)));

        assertProblem(server.post(BATCH, "[\"" + "A".repeat(32 * 1024 * 1024) + "\"]"), 413, "too-large");
        assertProblem(server.post("/api/v1/jobs", "{\"payload\":\"" + "A".repeat(1 << 20) + "\"}"), 413, "too-large");
    }

    @Test
    void moreJobsThanTheLimitAreRefusedAsAWhole() {
        assertProblem(ndjson("{}\n".repeat(10_001)), 413, "too-large");
        assertTrue(server.core.jobs.ids().isEmpty());
        assertEquals(10_000, items(ndjson("{}\n".repeat(10_000))).size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded"})
    void otherTypesAreRefusedAndNdjsonElsewhereToo(String type) {
        assertProblem(server.send("POST", BATCH, "[]", "Content-Type", type), 415, "unsupported-media-type");
        assertProblem(
                server.send("POST", "/api/v1/jobs", "{}", "Content-Type", "application/x-ndjson"),
                415,
                "unsupported-media-type");
    }

    @Test
    void failureOfTheStoreAsAWholeIsAProblem() {
        server.core.fault.fail(new HeadmastException.Unavailable("not now"));

        assertProblem(server.post(BATCH, "[{\"id\":\"a\"}]"), 503, "unavailable");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "selector        | {\"action\":\"kill\",\"selector\":{}}",
                "selector        | {\"action\":\"kill\"}",
                "selector.domian | {\"action\":\"kill\",\"selector\":{\"domian\":\"eu\"}}",
                "action          | {\"action\":\"explode\",\"selector\":{\"all\":true}}",
                "limit           | {\"action\":\"kill\",\"selector\":{\"all\":true},\"limit\":0}",
            })
    void orderThatIsNotClearIsRefusedNamingTheField(String field, String body) {
        Answer answer = server.post(ORDERS, body);

        assertProblem(answer, 400, "invalid");
        assertEquals(field, answer.text("field"));
    }
}
