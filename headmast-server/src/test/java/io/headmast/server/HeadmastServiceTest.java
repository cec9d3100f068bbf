// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static io.headmast.server.JobsRestTest.assertProblem;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.core.testing.Await;
import io.headmast.server.RunningService.Answer;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeadmastServiceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final ServingOptions OPTIONS =
            ServingOptions.builder().port(0).build();

    @Test
    void coreIsOpenedKnowingTheAddressThatWasChosen() {
        InMemoryCore core = new InMemoryCore();
        AtomicReference<URI> announced = new AtomicReference<>();
        try (HeadmastService service = new HeadmastService(OPTIONS, (options, address) -> {
            announced.set(address);
            return core.core();
        })) {
            service.start();

            assertEquals(service.address(), announced.get());
            assertTrue(service.address().getPort() > 0);
        }
        assertTrue(core.closed.get());
    }

    @Test
    void takenPortIsToldAndNothingIsLeftBehind() {
        try (RunningService first = new RunningService()) {
            InMemoryCore core = new InMemoryCore();
            int port = first.service.address().getPort();
            HeadmastService second =
                    new HeadmastService(ServingOptions.builder().port(port).build(), core.core());

            HeadmastException failure = assertThrows(HeadmastException.Unavailable.class, second::start);

            assertTrue(failure.detail().contains("127.0.0.1:" + port), failure.detail());
            assertThrows(IllegalStateException.class, second::start);
            assertEquals(200, first.get("/healthz").status());
        }
    }

    @Test
    void portIsGivenBackWhenTheStoreCannotBeReached() {
        AtomicReference<URI> tried = new AtomicReference<>();
        HeadmastService service = new HeadmastService(OPTIONS, (options, address) -> {
            tried.set(address);
            throw new HeadmastException.Unavailable("no store");
        });

        assertThrows(HeadmastException.Unavailable.class, service::start);

        ServingOptions same =
                ServingOptions.builder().port(tried.get().getPort()).build();
        try (HeadmastService next = new HeadmastService(same, new InMemoryCore().core())) {
            next.start();
        }
    }

    @Test
    void runBlocksUntilTheServiceIsClosed() {
        InMemoryCore core = new InMemoryCore();
        HeadmastService service = new HeadmastService(OPTIONS, core.core());
        CompletableFuture<Void> running = CompletableFuture.runAsync(() -> {
            try {
                service.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        Await.until("it serves", PATIENCE, service::isServing);
        assertFalse(running.isDone());

        service.close();

        Await.value(running, PATIENCE);
        assertTrue(core.closed.get());
        assertThrows(IllegalStateException.class, service::start);
    }

    @Test
    void serverIsReadyOnceItFollowsTheStore() {
        try (RunningService server = new RunningService()) {
            server.core.ready.set(false);
            assertEquals(200, server.get("/healthz").status());
            assertProblem(server.get("/readyz"), 503, "unavailable");

            server.core.ready.set(true);
            assertEquals(200, server.get("/readyz").status());
        }
    }

    @Test
    void coreIsClosedAfterTheLastRequest() {
        try (RunningService server = new RunningService()) {
            CompletableFuture<Void> gate = new CompletableFuture<>();
            server.core.fault.hangUntil(gate);
            CompletableFuture<Answer> request = CompletableFuture.supplyAsync(() -> server.get("/api/v1/jobs"));
            Await.until("it is under way", PATIENCE, () -> server.core.fault.begun() == 1);
            CompletableFuture<Void> closing = CompletableFuture.runAsync(server.service::close);
            assertFalse(server.core.closed.get());

            gate.complete(null);

            assertEquals(200, Await.value(request, PATIENCE).status());
            Await.value(closing, PATIENCE);
            assertTrue(server.core.closed.get());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 512 * 1024})
    void payloadIsTakenUpToItsLimitAndNotAByteMore(int limit) {
        try (RunningService server = new RunningService(ServingOptions.builder().payloadLimit(limit))) {
            assertEquals(201, server.post("/api/v1/jobs", job("fits", limit)).status());

            Answer over = server.post("/api/v1/jobs", job("over", limit + 1));

            assertProblem(over, 413, "too-large");
            assertTrue(over.text("detail").contains("the limit is " + limit), over.body());
            assertEquals(
                    413,
                    server.send("PUT", "/api/v1/jobs/fits", job("fits", limit + 1))
                            .status());
        }
    }

    @Test
    void labelsAndUnknownMembersAreBoundedToo() {
        try (RunningService server = new RunningService()) {
            String text = "x".repeat(64 * 1024);

            assertProblem(server.post("/api/v1/jobs", "{\"labels\":{\"a\":\"" + text + "\"}}"), 413, "too-large");
            assertProblem(server.post("/api/v1/jobs", "{\"future\":\"" + text + "\"}"), 413, "too-large");
        }
    }

    @Test
    void failureOfTheStoreIsTheAnswer() {
        try (RunningService server = new RunningService()) {
            server.core.fault.fail(new HeadmastException.StorageFull("the store is full"));

            assertProblem(server.post("/api/v1/jobs", "{}"), 507, "storage-full");
        }
    }

    private static String job(String id, int payload) {
        String base64 = Base64.getEncoder().encodeToString(new byte[payload]);
        return "{\"id\":\"" + id + "\",\"payload\":\"" + base64 + "\"}";
    }
}
