// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Clients for tests: short timeouts where they are wanted, and pauses that are noted rather than waited for. */
final class Clients {
    static final String JOB = "{\"id\":\"chain-7\",\"domain\":\"eu\",\"revision\":9007199254740993,"
            + "\"state\":{\"state\":\"running\",\"worker\":\"w-1\",\"epoch\":9007199254740995}}";
    static final String WORKER = "{\"id\":\"w-1\",\"live\":true,\"used\":3}";

    private Clients() {}

    /** Notes the pauses and ends each at once; its chance is always 0, so a pause has its whole length. */
    static final class NotedPauses implements Pauses {
        private final List<Duration> noted = Collections.synchronizedList(new ArrayList<>());

        @Override
        public CompletableFuture<Void> pause(Duration duration) {
            noted.add(duration);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public double random() {
            return 0;
        }

        List<Duration> noted() {
            return List.copyOf(noted);
        }
    }

    static HeadmastClient of(ScriptedServer server) {
        return of(ClientOptions.of(server.address()), new NotedPauses());
    }

    static HeadmastClient of(ClientOptions options, Pauses pauses) {
        return HeadmastClient.create(options, pauses, 64 * 1024);
    }

    /** One that takes large answers. */
    static HeadmastClient wide(ScriptedServer server) {
        return HeadmastClient.create(ClientOptions.of(server.address()), new NotedPauses(), Wire.MAX_ANSWER);
    }

    static HeadmastClient impatient(String... servers) {
        ClientOptions options = ClientOptions.builder()
                .servers(servers)
                .requestTimeout(Duration.ofMillis(300))
                .build();
        return of(options, new NotedPauses());
    }

    /** Whether no thread with such a name is left, within a bound. */
    static boolean endsSoon(String name) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (System.nanoTime() < end) {
            if (Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith(name))) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }
}
