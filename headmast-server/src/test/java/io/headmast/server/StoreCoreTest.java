// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.api.ChangeReason;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobPath;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import io.headmast.core.loop.ThreadLoop;
import io.headmast.core.manager.JobWatch;
import io.headmast.core.store.memory.MvccStore;
import io.headmast.core.testing.Await;
import java.net.URI;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a server's core is made of works together. */
final class StoreCoreTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final ThreadLoop storeLoop = new ThreadLoop("store");
    private final MvccStore store = new MvccStore(storeLoop);
    private final Core core = StoreCore.on(store, ServingOptions.builder().build(), URI.create("http://127.0.0.1:1"));

    @AfterEach
    void close() {
        store.close();
        storeLoop.close();
    }

    @Test
    void feedTellsWhatTheManagersDoUntilTheCoreIsClosed() throws InterruptedException {
        Await.until("the core is ready", LIMIT, core.cluster()::isReady);
        JobWatch watch = Await.value(core.feed().watch(JobPath.domain("eu"), OptionalLong.empty()), LIMIT);
        Job job = Job.builder().id("a").domain("eu").payload("whole").build();
        long revision = Await.value(core.jobs().addJob(job), LIMIT).view().revision();
        JobWatch.Change added = nextChange(watch);
        assertEquals(revision, added.revision());
        assertEquals(ChangeReason.ADDED, added.change().reason());
        assertEquals(job, added.change().job().job());
        core.close();
        assertThrows(HeadmastException.Unavailable.class, () -> nextChange(watch));
    }

    @Test
    void storeOfTheCallerOutlivesItsServers() {
        core.close();
        for (int starts = 0; starts < 2; starts++) {
            ServingOptions options = ServingOptions.builder().port(0).build();
            try (HeadmastService service = HeadmastService.on(options, store)) {
                service.start();
                ClientOptions address = ClientOptions.of(service.address().toString());
                try (HeadmastClient client = HeadmastClient.create(address)) {
                    Await.until(
                            "it is ready",
                            LIMIT,
                            () -> client.cluster().leader().isPresent());
                    assertEquals(starts == 1, client.getJob("a").isPresent());
                    client.createNewJob(Job.builder().id("a").build());
                }
            }
        }
    }

    private static JobWatch.Change nextChange(JobWatch watch) throws InterruptedException {
        while (true) {
            if (watch.next(LIMIT) instanceof JobWatch.Change change) {
                return change;
            }
        }
    }
}
