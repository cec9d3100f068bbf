// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobQuery;
import io.headmast.api.JobSelector;
import io.headmast.client.Clients.NotedPauses;
import io.headmast.client.ScriptedServer.Reply;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/** How often each call is sent when it meets trouble, and what it throws in the end. */
class RetryRulesTest {
    private static final Job SOME = Job.builder().id("chain-7").build();
    private static final int ROUNDS = Retries.DEFAULT.rounds();

    record Sent(String name, Repeat repeat, Consumer<HeadmastClient> call) {
        @Override
        public String toString() {
            return name;
        }

        int times() {
            return repeat == Repeat.ONCE ? 1 : ROUNDS;
        }

        Class<? extends HeadmastException> whenUnknown() {
            return repeat == Repeat.READ ? HeadmastException.Unavailable.class : HeadmastException.Indeterminate.class;
        }
    }

    static final List<Sent> CALLS = List.of(
            new Sent("createNewJob", Repeat.IDEMPOTENT, client -> client.createNewJob(SOME)),
            new Sent("getJob", Repeat.READ, client -> client.getJob("a")),
            new Sent("getJobPage", Repeat.READ, client -> client.getJobPage(JobQuery.ALL)),
            new Sent("kill", Repeat.IDEMPOTENT, client -> client.controlJob("a", "kill")),
            new Sent("stop", Repeat.IDEMPOTENT, client -> client.controlJob("a", "stop")),
            new Sent("load", Repeat.IDEMPOTENT, client -> client.controlJob("a", "load")),
            new Sent("unload", Repeat.IDEMPOTENT, client -> client.controlJob("a", "unload")),
            new Sent("alive", Repeat.ONCE, client -> client.controlJob("a", "alive")),
            new Sent("start", Repeat.ONCE, client -> client.controlJob("a", "start")),
            new Sent("restart", Repeat.ONCE, client -> client.controlJob("a", "restart")),
            new Sent("restart at", Repeat.IDEMPOTENT, client -> client.controlJob("a", JobAction.RESTART, 7)),
            new Sent("updateJob", Repeat.IDEMPOTENT, client -> client.updateJob(SOME, 7)),
            new Sent("deleteJob", Repeat.IDEMPOTENT, client -> client.deleteJob("a")),
            new Sent("kill many", Repeat.IDEMPOTENT, client -> client.controlJobs(JobSelector.ALL, JobAction.KILL)),
            new Sent("start many", Repeat.ONCE, client -> client.controlJobs(JobSelector.ALL, JobAction.START)),
            new Sent("restart many", Repeat.ONCE, client -> client.controlJobs(JobSelector.ALL, JobAction.RESTART)),
            new Sent("delete many", Repeat.IDEMPOTENT, client -> client.deleteJobs(JobSelector.ALL)),
            new Sent("listWorkers", Repeat.READ, HeadmastClient::listWorkers),
            new Sent("getWorker", Repeat.READ, client -> client.getWorker("a")),
            new Sent("cordonWorker", Repeat.IDEMPOTENT, client -> client.cordonWorker("a", "why")),
            new Sent("drainWorker", Repeat.IDEMPOTENT, client -> client.drainWorker("a", "why")),
            new Sent("uncordonWorker", Repeat.IDEMPOTENT, client -> client.uncordonWorker("a")),
            new Sent("removeWorker", Repeat.IDEMPOTENT, client -> client.removeWorker("a")),
            new Sent("cluster", Repeat.READ, HeadmastClient::cluster));

    @ParameterizedTest
    @FieldSource("CALLS")
    void afterABrokenConnectionOnlyWhatMayArriveTwiceIsRepeated(Sent sent) {
        // The JDK's client may send a GET once more by itself when its connection breaks before the answer.
        int most = sent.repeat() == Repeat.READ ? 2 * sent.times() : sent.times();
        try (ScriptedServer server = ScriptedServer.answering(
                        Collections.nCopies(8, ScriptedServer.hangUp()).toArray(Reply[]::new));
                HeadmastClient client = Clients.of(server)) {
            assertThrows(sent.whenUnknown(), () -> sent.call().accept(client));
            int requests = server.requests();
            assertTrue(sent.times() <= requests && requests <= most, "requests: " + requests);
        }
    }

    @ParameterizedTest
    @FieldSource("CALLS")
    void aProxyWithoutAnAnswerIsTheSame(Sent sent) {
        assertEquals(
                sent.whenUnknown(),
                failureOf(sent, ScriptedServer.html(502), sent.times()).getClass());
    }

    @ParameterizedTest
    @FieldSource("CALLS")
    void anOutcomeThatTheServerDoesNotKnowIsTheSame(Sent sent) {
        Reply reply = ScriptedServer.problem(504, "indeterminate");
        assertEquals(sent.whenUnknown(), failureOf(sent, reply, sent.times()).getClass());
    }

    @ParameterizedTest
    @FieldSource("CALLS")
    void whatABusyServerTurnedAwayWasNotCarriedOut(Sent sent) {
        Reply reply = ScriptedServer.problem(503, "unavailable");
        assertEquals(
                HeadmastException.Unavailable.class,
                failureOf(sent, reply, sent.times()).getClass());
    }

    @ParameterizedTest
    @FieldSource("CALLS")
    void aRefusalIsFinal(Sent sent) {
        Reply reply = ScriptedServer.problem(400, "invalid");
        assertEquals(HeadmastException.Invalid.class, failureOf(sent, reply, 1).getClass());
    }

    @ParameterizedTest
    @FieldSource("CALLS")
    void aFailureInsideTheServerIsFinal(Sent sent) {
        Reply reply = ScriptedServer.problem(500, "internal");
        assertEquals(HeadmastException.Internal.class, failureOf(sent, reply, 1).getClass());
    }

    @Test
    void aRepeatedCreationSucceedsWithTheJobThatTheFirstAttemptLeft() {
        try (ScriptedServer server =
                        ScriptedServer.answering(ScriptedServer.hangUp(), ScriptedServer.json(200, Clients.JOB));
                HeadmastClient client = Clients.of(server)) {
            assertEquals("chain-7", client.createNewJob(SOME).job().id());

            assertEquals(2, server.requests());
            assertEquals(server.asked().get(0), server.asked().get(1));
        }
    }

    @ParameterizedTest
    @CsvSource({"409, already-exists", "409, conflict", "412, precondition-failed"})
    void aRefusalThatMayBeTheEchoOfALostAttemptIsNoRefusal(int status, String type) {
        try (ScriptedServer server =
                        ScriptedServer.answering(ScriptedServer.hangUp(), ScriptedServer.problem(status, type));
                HeadmastClient client = Clients.of(server)) {
            HeadmastException failure =
                    assertThrows(HeadmastException.Indeterminate.class, () -> client.updateJob(SOME, 7));

            assertTrue(failure.detail().contains("the detail"), failure.detail());
        }
    }

    @ParameterizedTest
    @CsvSource({"409, already-exists", "409, conflict", "412, precondition-failed"})
    void afterATroubleThatChangedNothingItIsOne(int status, String type) {
        try (ScriptedServer server = ScriptedServer.answering(
                        ScriptedServer.problem(503, "unavailable"), ScriptedServer.problem(status, type));
                HeadmastClient client = Clients.of(server)) {
            HeadmastException failure = assertThrows(HeadmastException.class, () -> client.updateJob(SOME, 7));

            assertEquals(type, failure.type());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, PT1S",
        "0, PT0S",
        "86400, PT2S",
        "soon, PT0.1S",
        "Fri 31 Dec 1999 23:59:59 GMT, PT0.1S",
        "-1, PT0.1S"
    })
    void theServersWishToWaitIsHonouredWithinBounds(String wish, Duration pause) {
        NotedPauses pauses = new NotedPauses();
        try (ScriptedServer server = ScriptedServer.answering(
                        ScriptedServer.with("Retry-After", wish, ScriptedServer.problem(503, "unavailable")),
                        ScriptedServer.json(200, Clients.JOB));
                HeadmastClient client = Clients.of(ClientOptions.of(server.address()), pauses)) {
            assertTrue(client.getJob("chain-7").isPresent());
            assertEquals(List.of(pause), pauses.noted());
        }
    }

    @Test
    void withoutRetriesEverythingIsSentOnce() {
        ClientOptions.Builder options = ClientOptions.builder().retries(Retries.NONE);
        try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.html(502));
                HeadmastClient client =
                        Clients.of(options.servers(server.address()).build(), new NotedPauses())) {
            assertThrows(HeadmastException.Unavailable.class, () -> client.getJob("a"));
            assertEquals(1, server.requests());
        }
    }

    private static HeadmastException failureOf(Sent sent, Reply reply, int times) {
        NotedPauses pauses = new NotedPauses();
        try (ScriptedServer server = ScriptedServer.answering(reply, reply, reply, reply, reply);
                HeadmastClient client = Clients.of(ClientOptions.of(server.address()), pauses)) {
            HeadmastException failure =
                    assertThrows(HeadmastException.class, () -> sent.call().accept(client));
            assertEquals(times, server.requests(), failure.detail());
            assertEquals(times - 1, pauses.noted().size());
            return failure;
        }
    }
}
