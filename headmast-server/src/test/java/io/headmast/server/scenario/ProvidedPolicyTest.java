// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.api.Job;
import io.headmast.client.HeadmastClient;
import io.headmast.core.testing.Await;
import io.headmast.server.HeadmastService;
import io.headmast.server.ProvidedPolicies;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a policy that it found on its class path. */
class ProvidedPolicyTest {
    @TempDir
    private Path directory;

    @Test
    void aServerSchedulesByAPolicyFromItsClassPath() {
        List<String> provided = List.of(ProvidedPolicies.FirstById.class.getName());
        try (var memory = new InMemoryStore();
                var cluster = new InProcessCluster(memory::connect)) {
            HeadmastService server =
                    ProvidedPolicies.offering(directory, provided, () -> cluster.server("s1", "first-by-id"));
            HeadmastClient client = cluster.client(server);
            assertEquals("first-by-id", client.cluster().policy());
            cluster.workerWith("w1", context -> context.capacity(3));
            cluster.worker("w2");
            for (int i = 0; i < 5; i++) {
                client.createNewJob(Job.builder().id("job-" + i).build());
            }
            Await.until(
                    "the first worker is filled first",
                    Duration.ofSeconds(30),
                    () -> cluster.stage.counts().equals(Map.of("w1", 3, "w2", 2)));
            assertEquals(List.of(), cluster.stage.violations());
        }
    }
}
