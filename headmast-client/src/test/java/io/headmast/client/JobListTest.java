// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobQuery;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.Phase;
import io.headmast.client.ScriptedServer.Reply;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class JobListTest {
    @Test
    void pagesAreFetchedWhenTheirTurnHasCome() {
        try (ScriptedServer server = ScriptedServer.answering(page("b", "a", "b"), page("c", "c"), page("", "d"));
                HeadmastClient client = Clients.of(server)) {
            JobList jobs = client.getJobs(JobQuery.ALL.withLimit(2));
            Iterator<JobView> iterator = jobs.iterator();
            assertEquals(0, server.requests());

            assertEquals("a", iterator.next().job().id());
            assertEquals("b", iterator.next().job().id());
            assertEquals(1, server.requests());

            assertEquals("c", iterator.next().job().id());
            assertEquals(2, server.requests());
            assertEquals("GET /api/v1/jobs?limit=2&cursor=b", server.last().line());

            assertEquals("d", iterator.next().job().id());
            assertThrows(NoSuchElementException.class, iterator::next);
            assertEquals(3, server.requests());
        }
    }

    @Test
    void aStreamThatHasEnoughAsksForNoMore() {
        try (ScriptedServer server = ScriptedServer.answering(page("b", "a", "b"), page("", "c"));
                HeadmastClient client = Clients.of(server)) {
            assertEquals(
                    List.of("a"),
                    client.getJobs().stream()
                            .limit(1)
                            .map(view -> view.job().id())
                            .toList());
            assertEquals(1, server.requests());
        }
    }

    @Test
    void emptyPagesOnTheWayDoNotEndTheList() {
        try (ScriptedServer server = ScriptedServer.answering(page("b"), page("c"), page("", "d"));
                HeadmastClient client = Clients.of(server)) {
            assertEquals(1, client.getJobs().toList().size());
            assertEquals(3, server.requests());
        }
    }

    @Test
    void theAsynchronousTwinCollectsAllPages() {
        try (ScriptedServer server = ScriptedServer.answering(page("b", "a", "b"), page("", "c"));
                HeadmastClient client = Clients.of(server)) {
            assertEquals(3, client.async().getJobsWithDomain("eu").join().size());
            assertEquals(
                    "GET /api/v1/jobs?domain=eu&limit=100&cursor=b",
                    server.last().line());
        }
    }

    @Test
    void everyConditionIsSentAndEncoded() {
        try (ScriptedServer server = ScriptedServer.answering(page(""));
                HeadmastClient client = Clients.of(server)) {
            JobQuery query = JobQuery.ALL
                    .withDomain("eu:chains")
                    .withStatus(JobStatus.KILLED)
                    .withPhase(Phase.STOPPING)
                    .withWorker("w@1")
                    .withLabels(Map.of("team", "a&b=c+d e#ü🚂", "x", ""))
                    .withLimit(7)
                    .from("chain~9");

            assertEquals(List.of(), client.getJobs(query).toList());
            assertEquals(
                    "GET /api/v1/jobs?domain=eu%3Achains&status=killed&state=stopping&worker=w%401"
                            + "&label=team%3Da%26b%3Dc%2Bd%20e%23%C3%BC%F0%9F%9A%82&label=x%3D&limit=7&cursor=chain~9",
                    server.last().line());
        }
    }

    @Test
    void aPageTooLargeForOneAnswerIsAskedForInSmallerOnes() {
        Reply tooLarge = ScriptedServer.json(200, "{\"items\":[],\"x\":\"" + "x".repeat(64 * 1024) + "\"}");
        try (ScriptedServer server = ScriptedServer.answering(tooLarge, tooLarge, page("a", "a"), page("", "b"));
                HeadmastClient client = Clients.of(server)) {
            assertEquals(2, client.getJobs(JobQuery.ALL.withLimit(5)).toList().size());
            assertEquals(
                    List.of("5", "2", "1", "1&cursor=a"),
                    server.asked().stream()
                            .map(asked -> asked.line().replace("GET /api/v1/jobs?limit=", ""))
                            .toList());
        }
    }

    @Test
    void aJobTooLargeForAnAnswerIsAnError() {
        Reply tooLarge = ScriptedServer.json(200, "{\"items\":[],\"x\":\"" + "x".repeat(64 * 1024) + "\"}");
        try (ScriptedServer server = ScriptedServer.answering(tooLarge);
                HeadmastClient client = Clients.of(server)) {
            JobList jobs = client.getJobs(JobQuery.ALL.withLimit(1));
            assertThrows(HeadmastException.TooLarge.class, jobs::toList);
        }
    }

    @Test
    void aCursorThatDoesNotMoveOnEndsInAnError() {
        try (ScriptedServer server = ScriptedServer.answering(page("b", "a"), page("b", "b"));
                HeadmastClient client = Clients.of(server)) {
            HeadmastException failure =
                    assertThrows(HeadmastException.class, () -> client.getJobs().toList());

            assertTrue(failure.detail().contains("does not move on"), failure.detail());
            assertEquals(2, server.requests());
        }
    }

    private static Reply page(String next, String... ids) {
        String items =
                Arrays.stream(ids).map(id -> Clients.JOB.replace("chain-7", id)).collect(Collectors.joining(","));
        return ScriptedServer.json(
                200, "{\"items\":[" + items + "]" + (next.isEmpty() ? "" : ",\"next\":\"" + next + "\"") + "}");
    }
}
