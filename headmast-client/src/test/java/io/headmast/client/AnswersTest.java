// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobView;
import io.headmast.api.WorkerView;
import io.headmast.client.ScriptedServer.Asked;
import io.headmast.client.ScriptedServer.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What answers mean, and what is sent for them. */
class AnswersTest {
    private static final Job SOME = Job.builder().id("chain-7").build();

    @Test
    void revisionsBeyondDoublesAreExactBothWays() {
        try (ScriptedServer server = ScriptedServer.answering(
                        ScriptedServer.json(200, Clients.JOB), ScriptedServer.json(200, Clients.JOB));
                HeadmastClient client = Clients.of(server)) {
            JobView view = client.getJob("chain-7").orElseThrow();
            client.updateJob(view.job(), view.revision());

            assertEquals(9007199254740993L, view.revision());
            assertEquals(9007199254740995L, view.state().epoch());
            assertEquals(Optional.of("\"9007199254740993\""), server.last().ifMatch());
            assertEquals("PUT /api/v1/jobs/chain-7", server.last().line());
        }
    }

    @Test
    void aJobIsSentAsItIsStored() {
        Job job = Job.unmarshalBinary(
                "{\"id\":\"chain-7\",\"payload\":\"AAE=\",\"new\":{\"n\":1e400}}".getBytes(StandardCharsets.UTF_8));
        Asked asked = asked(ScriptedServer.json(201, Clients.JOB), client -> client.createNewJob(job));

        assertEquals("POST /api/v1/jobs", asked.line());
        assertEquals(job, Job.unmarshalBinary(asked.body().getBytes(StandardCharsets.UTF_8)));
        assertTrue(asked.body().contains("\"new\":{\"n\":1e400}"), asked.body());
        assertEquals(Optional.empty(), asked.authorization());
    }

    @Test
    void theTokenGoesWithEveryRequest() {
        try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, Clients.JOB));
                HeadmastClient client = HeadmastClient.create(ClientOptions.builder()
                        .servers(server.address())
                        .token("s3cret")
                        .build())) {
            assertTrue(client.getJob("a").isPresent());
            assertEquals(Optional.of("Bearer s3cret"), server.last().authorization());
        }
    }

    @Test
    void aMarkSaysWhyAndWho() {
        Asked asked = asked(
                ScriptedServer.json(200, Clients.WORKER), client -> client.cordonWorker("w-1", "\"disk\"", "ops"));

        assertEquals("POST /api/v1/workers/w-1/cordon", asked.line());
        assertEquals("{\"reason\":\"\\\"disk\\\"\",\"by\":\"ops\"}", asked.body());
    }

    @Test
    void workersAreListedAndShown() {
        try (ScriptedServer server = ScriptedServer.answering(
                        ScriptedServer.json(200, "{\"items\":[" + Clients.WORKER + "]}"),
                        ScriptedServer.json(200, Clients.WORKER),
                        ScriptedServer.problem(404, "not-found"));
                HeadmastClient client = Clients.of(server)) {
            List<WorkerView> workers = client.listWorkers();

            assertEquals(Optional.of(workers.get(0)), client.getWorker("w-1"));
            assertEquals(Optional.empty(), client.getWorker("w-2"));
            assertEquals(3, workers.get(0).used());
        }
    }

    @Test
    void deletingTellsHowFarItIs() {
        assertEquals(Deletion.STOPPING, result(ScriptedServer.json(202, Clients.JOB), client -> client.deleteJob("a")));
        assertEquals(Deletion.GONE, result(ScriptedServer.json(204, ""), client -> client.deleteJob("a")));
        assertEquals(
                Deletion.ABSENT, result(ScriptedServer.problem(404, "not-found"), client -> client.deleteJob("a")));
        assertEquals(true, result(ScriptedServer.json(204, ""), client -> client.removeWorker("a")));
        assertEquals(false, result(ScriptedServer.problem(404, "not-found"), client -> client.removeWorker("a")));
    }

    @ParameterizedTest
    @CsvSource({
        "400, invalid",
        "401, unauthorized",
        "404, not-found",
        "409, already-exists",
        "409, conflict",
        "410, gone",
        "412, precondition-failed",
        "413, too-large",
        "500, internal",
        "507, storage-full"
    })
    void aProblemReportBecomesTheExceptionOfItsType(int status, String type) {
        HeadmastException failure =
                failure(ScriptedServer.problem(status, type), client -> client.controlJob("a", "kill"));

        assertEquals(type, failure.type());
        assertEquals(status, failure.httpStatus());
        assertEquals("the detail", failure.detail());
        assertEquals(type.equals("invalid") ? Optional.of("the.field") : Optional.empty(), failure.field());
    }

    @Test
    void aFailureShowsWhereTheCallerStood() {
        HeadmastException failure =
                failure(ScriptedServer.problem(404, "not-found"), client -> client.controlJob("a", "kill"));

        assertTrue(Arrays.stream(failure.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(AnswersTest.class.getName())));
        assertEquals(HeadmastException.NotFound.class, failure.getCause().getClass());
    }

    @Test
    void the404OfSomeWebServerIsNoAbsentJob() {
        HeadmastException failure = failure(ScriptedServer.html(404), client -> client.getJob("a"));

        assertEquals("unavailable", failure.type());
        assertTrue(failure.detail().contains("404"), failure.detail());
        assertTrue(failure.detail().contains("text/html"), failure.detail());
        assertTrue(failure.detail().contains("'<html> <body>Welcome to the proxy</body></html>'"), failure.detail());
        assertTrue(failure.detail().contains("proxy between"), failure.detail());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<html>",
                "",
                "[]",
                "{}",
                "{\"id\":\"a\"}",
                "{\"took\":1,\"hits\":[]}",
                "{\"id\":\"a\",\"state\":7}"
            })
    void anAnswerThatIsNotHeadmastsIsCalledSo(String body) {
        Reply reply = ScriptedServer.json(200, body);

        assertEquals("unavailable", failure(reply, client -> client.getJob("a")).type());
        assertEquals("unavailable", failure(reply, HeadmastClient::listWorkers).type());
        assertEquals("unavailable", failure(reply, HeadmastClient::cluster).type());
        assertEquals(
                "unavailable",
                failure(reply, client -> client.getJobs().toList()).type());
        assertEquals(
                "indeterminate",
                failure(reply, client -> client.createNewJob(SOME)).type());
        assertEquals(
                "indeterminate", failure(reply, client -> client.deleteJob("a")).type());
        assertEquals(
                "indeterminate",
                failure(reply, client -> client.removeWorker("a")).type());
    }

    @ParameterizedTest
    @CsvSource({
        "400, unavailable",
        "401, unauthorized",
        "403, unauthorized",
        "405, unavailable",
        "407, unauthorized",
        "413, too-large",
        "501, indeterminate",
        "200, indeterminate"
    })
    void whatAProxySaysOfAChangeIsTakenByItsStatus(int status, String type) {
        assertEquals(
                type,
                failure(ScriptedServer.html(status), client -> client.createNewJob(SOME))
                        .type());
    }

    @Test
    void aRedirectIsNotFollowedButShown() {
        Reply reply = ScriptedServer.with("Location", "https://elsewhere.example/", ScriptedServer.html(302));
        HeadmastException failure = failure(reply, client -> client.createNewJob(SOME));

        assertEquals("unavailable", failure.type());
        assertTrue(failure.detail().contains("https://elsewhere.example/"), failure.detail());
    }

    @Test
    void anAnswerThatIsTooLargeIsNotRead() {
        String large = "{\"items\":[],\"x\":\"" + "x".repeat(64 * 1024) + "\"}";

        assertEquals(
                "too-large",
                failure(ScriptedServer.json(200, large), HeadmastClient::listWorkers)
                        .type());
        assertEquals(
                "indeterminate",
                failure(ScriptedServer.json(200, large), client -> client.createNewJob(SOME))
                        .type());
    }

    @Test
    void anAnswerJustWithinTheLimitIsRead() {
        String frame = "{\"items\":[],\"x\":\"\"}";
        String large = frame.replace("\"\"", '"' + "x".repeat(64 * 1024 - frame.length()) + '"');

        assertEquals(List.of(), result(ScriptedServer.json(200, large), HeadmastClient::listWorkers));
        assertFalse(large.length() > 64 * 1024);
    }

    private static <T> T result(Reply reply, Function<HeadmastClient, T> call) {
        try (ScriptedServer server = ScriptedServer.answering(reply);
                HeadmastClient client = Clients.of(server)) {
            return call.apply(client);
        }
    }

    private static HeadmastException failure(Reply reply, Function<HeadmastClient, ?> call) {
        return assertThrows(HeadmastException.class, () -> result(reply, call));
    }

    private static Asked asked(Reply reply, Consumer<HeadmastClient> call) {
        try (ScriptedServer server = ScriptedServer.answering(reply);
                HeadmastClient client = Clients.of(server)) {
            call.accept(client);
            return server.last();
        }
    }
}
