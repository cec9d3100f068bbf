// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobAction;
import io.headmast.api.JobView;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Answers that don't come, and callers that don't wait. */
class WaitingTest {
    @Test
    void aServerThatNeverAnswersIsGivenUpInTime() {
        try (ScriptedServer server = ScriptedServer.answering(
                        ScriptedServer.silence(), ScriptedServer.silence(), ScriptedServer.silence());
                HeadmastClient client = Clients.impatient(server.address())) {
            HeadmastException failure = assertThrows(HeadmastException.Unavailable.class, () -> client.getJob("a"));

            assertTrue(failure.detail().contains("no answer within 300 ms"), failure.detail());
            assertEquals(3, server.requests());
        }
    }

    @Test
    void anAnswerThatNeverEndsIsGivenUpInTime() {
        try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.half());
                HeadmastClient client = Clients.impatient(server.address())) {
            assertThrows(HeadmastException.Indeterminate.class, () -> client.controlJob("a", JobAction.RESTART));
            assertEquals(1, server.requests());
        }
    }

    @Test
    void anInterruptEndsAReadAndStays() throws Exception {
        assertInstanceOf(HeadmastException.Unavailable.class, interrupted(client -> client.getJob("a")));
    }

    @Test
    void anInterruptedChangeMayHaveBeenCarriedOut() throws Exception {
        assertInstanceOf(HeadmastException.Indeterminate.class, interrupted(client -> client.deleteJob("a")));
    }

    @Test
    void anInterruptedThreadSendsNothing() throws Exception {
        try (ScriptedServer server = ScriptedServer.answering();
                HeadmastClient client = Clients.of(server)) {
            FutureTask<HeadmastException> task = new FutureTask<>(() -> {
                Thread.currentThread().interrupt();
                return assertThrows(HeadmastException.Unavailable.class, () -> client.deleteJob("a"));
            });
            new Thread(task, "caller").start();

            assertTrue(task.get(30, TimeUnit.SECONDS).detail().contains("not sent"));
            assertEquals(0, server.requests());
        }
    }

    @Test
    void closingGivesUpWhatIsUnderWay() throws Exception {
        try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence(), ScriptedServer.silence())) {
            HeadmastClient client = Clients.of(server);
            CompletableFuture<Optional<JobView>> read = client.async().getJob("a");
            server.awaitRequest();
            CompletableFuture<Deletion> change = client.async().deleteJob("a");
            server.awaitRequest();

            client.close();

            assertInstanceOf(HeadmastException.Unavailable.class, causeOf(read));
            assertInstanceOf(HeadmastException.Indeterminate.class, causeOf(change));
            assertThrows(IllegalStateException.class, client::cluster);
            assertInstanceOf(IllegalStateException.class, causeOf(client.async().cluster()));
            client.close();
        }
    }

    @Test
    void aCancelledCallIsGivenUp() throws Exception {
        try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence());
                HeadmastClient client = Clients.of(server)) {
            CompletableFuture<Optional<JobView>> read = client.async().getJob("a");
            server.awaitRequest();

            assertTrue(read.cancel(true));

            assertTrue(read.isCancelled());
            assertEquals(1, server.requests());
        }
    }

    @Test
    void whatHangsOnAFutureMayCallAgainAndWait() throws Exception {
        int many = 20;
        ScriptedServer.Reply[] replies = new ScriptedServer.Reply[2 * many];
        Arrays.fill(replies, ScriptedServer.json(200, Clients.JOB));
        try (ScriptedServer server = ScriptedServer.answering(replies);
                HeadmastClient client = Clients.of(server)) {
            CompletableFuture<?>[] chains = new CompletableFuture<?>[many];
            for (int i = 0; i < many; i++) {
                chains[i] = client.async().getJob("a").thenApply(view -> client.getJob("b"));
            }

            CompletableFuture.allOf(chains).get(60, TimeUnit.SECONDS);

            assertEquals(2 * many, server.requests());
        }
    }

    @Test
    void theClientsThreadsAreDaemons() {
        try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, Clients.JOB));
                HeadmastClient client = Clients.of(server)) {
            client.getJob("a");

            assertFalse(Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread -> thread.getName().startsWith("headmast-client") && !thread.isDaemon()));
        }
    }

    private interface Use {
        Object of(HeadmastClient client);
    }

    /** What a thread gets that is interrupted while it waits for a server that doesn't answer. */
    private static HeadmastException interrupted(Use use) throws Exception {
        try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.silence());
                HeadmastClient client = Clients.of(server)) {
            FutureTask<HeadmastException> task = new FutureTask<>(() -> {
                HeadmastException failure = assertThrows(HeadmastException.class, () -> use.of(client));
                assertTrue(Thread.currentThread().isInterrupted());
                assertInstanceOf(InterruptedException.class, failure.getCause());
                return failure;
            });
            Thread caller = new Thread(task, "caller");
            caller.start();
            server.awaitRequest();
            caller.interrupt();
            return task.get(30, TimeUnit.SECONDS);
        }
    }

    private static Throwable causeOf(CompletableFuture<?> future) {
        return assertThrows(ExecutionException.class, () -> future.get(30, TimeUnit.SECONDS))
                .getCause();
    }
}
