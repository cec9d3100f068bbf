// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobAction;
import io.headmast.client.Clients.NotedPauses;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailoverTest {
    private final NotedPauses pauses = new NotedPauses();

    @Test
    void aServerThatCannotBeReachedIsPassedOverByEveryCall() {
        try (ScriptedServer alive = ScriptedServer.answering(
                        ScriptedServer.json(200, Clients.JOB), ScriptedServer.json(200, Clients.JOB));
                HeadmastClient client =
                        Clients.of(ClientOptions.of(ScriptedServer.deadAddress(), alive.address()), pauses)) {
            assertTrue(client.getJob("chain-7").isPresent());
            assertEquals(
                    "chain-7",
                    client.controlJob("chain-7", JobAction.RESTART).job().id());

            assertEquals(2, alive.requests());
            assertEquals(List.of(), pauses.noted());
        }
    }

    @Test
    void theServerThatAnsweredIsAskedFirstFromThenOn() {
        try (ScriptedServer busy = ScriptedServer.answering(ScriptedServer.problem(503, "unavailable"));
                ScriptedServer good = ScriptedServer.answering(
                        ScriptedServer.json(200, Clients.JOB),
                        ScriptedServer.problem(404, "not-found"),
                        ScriptedServer.json(200, Clients.JOB));
                HeadmastClient client = Clients.of(ClientOptions.of(busy.address(), good.address()), pauses)) {
            for (int i = 0; i < 3; i++) {
                assertEquals(i != 1, client.getJob("chain-7").isPresent());
            }

            assertEquals(1, busy.requests());
            assertEquals(3, good.requests());
        }
    }

    @Test
    void aServerThatHangsIsLeftForAnother() {
        try (ScriptedServer hung = ScriptedServer.answering(ScriptedServer.silence());
                ScriptedServer good = ScriptedServer.answering(ScriptedServer.json(200, Clients.JOB));
                HeadmastClient client = Clients.impatient(hung.address(), good.address())) {
            assertTrue(client.getJob("chain-7").isPresent());
            assertEquals(1, hung.requests());
        }
    }

    @Test
    void whenNoServerCanBeReachedTheErrorNamesThemAndWhereToLook() {
        String one = ScriptedServer.deadAddress();
        String other = ScriptedServer.deadAddress();
        try (HeadmastClient client = Clients.of(ClientOptions.of(one, other), pauses)) {
            HeadmastException.Unavailable failure =
                    assertThrows(HeadmastException.Unavailable.class, () -> client.controlJob("a", JobAction.RESTART));

            for (String part : List.of(one, other, "HEADMAST_SERVER", "--server", "POST /api/v1/jobs/a/restart")) {
                assertTrue(failure.detail().contains(part), failure.detail());
            }
            assertEquals(List.of(Duration.ofMillis(100), Duration.ofMillis(200)), pauses.noted());
        }
    }

    @Test
    void anUnknownHostIsCalledSo() {
        ClientOptions options = ClientOptions.builder()
                .servers("http://no-such-host.invalid:4430")
                .retries(Retries.NONE)
                .build();
        try (HeadmastClient client = Clients.of(options, pauses)) {
            HeadmastException failure = assertThrows(HeadmastException.Unavailable.class, client::cluster);

            assertTrue(failure.detail().contains("unknown host"), failure.detail());
            assertEquals(List.of(), pauses.noted());
        }
    }

    @Test
    void aProxyMayPutTheClusterBelowAPath() {
        try (ScriptedServer server = ScriptedServer.answering(ScriptedServer.json(200, Clients.JOB));
                HeadmastClient client = Clients.of(ClientOptions.of(server.address() + "/team/"), pauses)) {
            assertFalse(client.getJob("a@1:~b").isEmpty());
            assertEquals("GET /team/api/v1/jobs/a%401%3A~b", server.last().line());
        }
    }
}
