// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.examples.testing.InMemoryHeadmast;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubmitAndWatchTest {
    @Test
    void everythingThatBecomesOfTheJobIsToldUntilItsEnd() throws Exception {
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        try (InMemoryHeadmast headmast = new InMemoryHeadmast()) {
            headmast.worker("app-1", "greetings", context -> {});
            SubmitAndWatch.follow(
                    headmast.client(),
                    Job.builder().domain("greetings").build(),
                    new PrintStream(told, true, StandardCharsets.UTF_8));
        }
        List<String> lines = told.toString(StandardCharsets.UTF_8).lines().toList();
        assertTrue(lines.get(0).startsWith("added    pending"), lines::toString);
        String last = lines.get(lines.size() - 1);
        assertTrue(last.startsWith("updated  completed"), lines::toString);
        assertEquals(1, lines.stream().filter(line -> line.startsWith("added")).count());
    }
}
