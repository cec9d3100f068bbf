// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.embed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobView;
import io.headmast.api.Phase;
import io.headmast.examples.testing.InMemoryHeadmast;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostTest {
    @Test
    void aJobIsGreetedWithItsEpochUntilItIsKilled() {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        try (InMemoryHeadmast headmast = new InMemoryHeadmast()) {
            headmast.worker("app-1", "greetings", context -> Host.greet(context, out));

            JobView running = headmast.running(
                    Job.builder().id("hi").domain("greetings").payload("Ada").build());
            headmast.client().controlJob("hi", JobAction.KILL);
            headmast.await("hi", Phase.KILLED);

            List<String> lines = said.toString(StandardCharsets.UTF_8).lines().toList();
            assertEquals("hello Ada (epoch " + running.state().epoch() + ")", lines.get(0));
        }
    }
}
