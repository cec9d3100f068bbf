// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobSelector;
import io.headmast.api.Payload;
import io.headmast.api.json.Json;
import io.headmast.client.ScriptedServer.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many jobs in one call: how they are sent, what is sent again, and what is told in the end. */
class ManyJobsTest {
    private static List<Job> many(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Job.builder().id("j" + i).build())
                .toList();
    }

    private static String outcome(String id, int status, String type) {
        return type.isEmpty()
                ? "{\"id\":\"" + id + "\",\"status\":" + status + ",\"revision\":9007199254740993}"
                : "{\"id\":\"" + id + "\",\"status\":" + status + ",\"problem\":{\"type\":\"urn:headmast:" + type
                        + "\",\"status\":" + status + ",\"detail\":\"the detail\"}}";
    }

    private static Reply outcomes(String next, String... items) {
        return ScriptedServer.json(
                200,
                "{\"items\":[" + String.join(",", items) + "]" + (next.isEmpty() ? "" : ",\"next\":\"" + next + "\"")
                        + "}");
    }

    private static Reply created(int count, String prefix, int from) {
        return outcomes(
                "",
                IntStream.range(from, from + count)
                        .mapToObj(i -> outcome(prefix + i, 201, ""))
                        .toArray(String[]::new));
    }

    private static List<Integer> statuses(List<JobOutcome> outcomes) {
        return outcomes.stream().map(JobOutcome::status).toList();
    }

    private static List<String> idsSent(ScriptedServer.Asked asked) {
        List<String> ids = new ArrayList<>();
        Json.parseArray(
                asked.body().getBytes(StandardCharsets.UTF_8),
                element -> ids.add(element.getAsJsonObject().get("id").getAsString()));
        return ids;
    }

    @Test
    void eachJobHasItsOutcomeInOrder() {
        Reply mixed = outcomes(
                "",
                outcome("j0", 201, ""),
                outcome("j1", 409, "already-exists"),
                outcome("j2", 200, ""),
                outcome("j3", 400, "invalid"));
        try (ScriptedServer server = ScriptedServer.answering(mixed);
                HeadmastClient client = Clients.of(server)) {
            List<JobOutcome> told = client.createNewJobs(many(4));

            assertEquals(List.of(201, 409, 200, 400), statuses(told));
            assertEquals(9007199254740993L, told.get(0).revision());
            assertTrue(told.get(1).problem().orElseThrow().toException() instanceof HeadmastException.AlreadyExists);
            assertEquals("POST /api/v1/jobs:batch", server.last().line());
            assertEquals(List.of("j0", "j1", "j2", "j3"), idsSent(server.last()));
        }
    }

    @Test
    void nothingIsSentForNoJobs() {
        try (ScriptedServer server = ScriptedServer.answering();
                HeadmastClient client = Clients.of(server)) {
            assertEquals(List.of(), client.createNewJobs(List.of()));
            assertEquals(0, server.requests());
        }
    }

    @Test
    void parcelsAreBoundedInNumberAndBytes() {
        Payload large = Payload.wrap(new byte[ManyCreations.MAX_BYTES / 3]);
        List<Job> jobs = List.of(
                Job.builder().id("a").payload(large).build(),
                Job.builder().id("b").payload(large).build(),
                Job.builder().id("c").payload(large).build(),
                Job.builder().id("d").build());
        try (ScriptedServer server = ScriptedServer.answering();
                HeadmastClient client = Clients.of(server)) {
            Reply two = outcomes("", outcome("x", 201, ""), outcome("x", 201, ""));
            server.then(two, two);
            assertEquals(List.of(201, 201, 201, 201), statuses(client.createNewJobs(jobs)));
            assertEquals(
                    List.of(List.of("a", "b"), List.of("c", "d")),
                    server.asked().stream()
                            .map(ManyJobsTest::idsSent)
                            .sorted((one, other) -> one.get(0).compareTo(other.get(0)))
                            .toList());
        }
        try (ScriptedServer server = ScriptedServer.answering(
                        created(1000, "j", 0), created(1000, "j", 1000), created(1000, "j", 2000));
                HeadmastClient client = Clients.wide(server)) {
            assertEquals(3000, client.createNewJobs(many(3000)).size());
            assertEquals(3, server.requests());
        }
    }

    @Test
    void onlyWhatIsUncertainIsSentAgain() {
        Reply first = outcomes(
                "",
                outcome("j0", 201, ""),
                outcome("j1", 504, "indeterminate"),
                outcome("j2", 409, "conflict"),
                outcome("j3", 503, "unavailable"));
        Reply second = outcomes("", outcome("j1", 200, ""), outcome("j3", 503, "unavailable"));
        Reply third = outcomes("", outcome("j3", 201, ""));
        try (ScriptedServer server = ScriptedServer.answering(first, second, third);
                HeadmastClient client = Clients.of(server)) {
            assertEquals(List.of(201, 200, 409, 201), statuses(client.createNewJobs(many(4))));
            assertEquals(
                    List.of(List.of("j0", "j1", "j2", "j3"), List.of("j1", "j3"), List.of("j3")),
                    server.asked().stream().map(ManyJobsTest::idsSent).toList());
        }
    }

    @Test
    void refusalThatMayBeTheEchoOfAnUnknownOutcomeLeavesItUnknown() {
        try (ScriptedServer server = ScriptedServer.answering(
                        outcomes("", outcome("j0", 504, "indeterminate")),
                        outcomes("", outcome("j0", 409, "already-exists")));
                HeadmastClient client = Clients.of(server)) {
            assertEquals(List.of(504), statuses(client.createNewJobs(many(1))));
        }
    }

    @Test
    void failureOfARequestIsTheOutcomeOfItsJobsAlone() {
        try (ScriptedServer server = ScriptedServer.answering(
                        ScriptedServer.problem(401, "unauthorized"), ScriptedServer.problem(401, "unauthorized"));
                HeadmastClient client = Clients.wide(server)) {
            List<JobOutcome> told = client.createNewJobs(many(1500));
            assertEquals(1500, told.size());
            assertTrue(told.stream().allMatch(outcome -> outcome.status() == 401));
            assertEquals("j7", told.get(7).id().orElseThrow());
        }
    }

    @Test
    void answerWithTooFewOutcomesIsNoneOfHeadmasts() {
        try (ScriptedServer server = ScriptedServer.answering(outcomes("", outcome("j0", 201, "")));
                HeadmastClient client = Clients.of(server)) {
            assertEquals(List.of(504, 504), statuses(client.createNewJobs(many(2))));
        }
    }

    @Test
    void orderGoesOnUntilAllHadTheirTurn() {
        try (ScriptedServer server = ScriptedServer.answering(
                        outcomes("b", outcome("a", 200, ""), outcome("b", 409, "conflict")),
                        outcomes("", outcome("c", 200, "")));
                HeadmastClient client = Clients.of(server)) {
            JobSelector selector = JobSelector.NONE.withDomain("eu");
            assertEquals(List.of(200, 409, 200), statuses(client.controlJobs(selector, JobAction.KILL)));
            assertEquals("POST /api/v1/jobs:orders", server.last().line());
            assertEquals(
                    "{\"action\":\"kill\",\"selector\":{\"domain\":\"eu\"},\"limit\":1000,\"cursor\":\"b\"}",
                    server.last().body());
        }
    }

    @Test
    void asynchronousTwinsDoTheSame() {
        try (ScriptedServer server = ScriptedServer.answering(
                        outcomes("", outcome("j0", 201, "")),
                        outcomes("", outcome("a", 202, "")),
                        outcomes("", outcome("a", 200, "")));
                HeadmastClient client = Clients.of(server)) {
            AsyncHeadmastClient async = client.async();
            assertEquals(List.of(201), statuses(async.createNewJobs(many(1)).join()));
            assertEquals(
                    List.of(202), statuses(async.deleteJobs(JobSelector.ALL).join()));
            assertEquals(
                    List.of(200),
                    statuses(async.controlJobs(JobSelector.ALL, JobAction.RESTART)
                            .join()));
            assertTrue(async.controlJobs(JobSelector.NONE, JobAction.KILL).isCompletedExceptionally());
        }
    }

    @Test
    void failureOnTheWaySaysHowFarItCame() {
        try (ScriptedServer server = ScriptedServer.answering(
                        outcomes("b", outcome("a", 200, ""), outcome("b", 409, "conflict")),
                        ScriptedServer.problem(504, "indeterminate"));
                HeadmastClient client = Clients.of(server)) {
            HeadmastException failure = assertThrows(
                    HeadmastException.Indeterminate.class,
                    () -> client.controlJobs(JobSelector.ALL, JobAction.RESTART));
            assertTrue(failure.detail().contains("2 jobs had their outcome before, up to b"), failure.detail());
            assertEquals(2, server.requests());
        }
    }

    @Test
    void cursorThatDoesNotMoveOnEndsInAnError() {
        Reply same = outcomes("a", outcome("a", 200, ""));
        try (ScriptedServer server = ScriptedServer.answering(same, same);
                HeadmastClient client = Clients.of(server)) {
            assertThrows(HeadmastException.Internal.class, () -> client.controlJobs(JobSelector.ALL, JobAction.KILL));
        }
    }

    @Test
    void cancelledCreationSendsNothingMore() throws InterruptedException {
        try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence(), ScriptedServer.silence());
                HeadmastClient client = Clients.wide(server)) {
            CompletableFuture<List<JobOutcome>> creation = client.async().createNewJobs(many(5000));
            server.awaitRequest();
            server.awaitRequest();
            creation.cancel(true);
            assertThrows(CancellationException.class, creation::join);
            assertEquals(2, server.requests());
        }
    }
}
