// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker keeps over restarts, and who may use it. */
class WorkerHomeTest {
    @TempDir
    Path directory;

    @Test
    void idAndIdentityAreKept() {
        String id;
        String identity;
        try (WorkerHome home = open("made/up", Optional.empty())) {
            id = home.workerId();
            identity = home.identity();
        }
        try (WorkerHome home = open("made/up", Optional.empty())) {
            assertEquals(id, home.workerId());
            assertEquals(identity, home.identity());
        }
        try (WorkerHome other = open("other", Optional.empty())) {
            assertNotEquals(id, other.workerId());
            assertNotEquals(identity, other.identity());
        }
    }

    @Test
    void configuredIdGoesBeforeTheKeptOne() {
        try (WorkerHome kept = open("home", Optional.empty());
                WorkerHome configured = open("home", Optional.of("w1"))) {
            assertEquals("w1", configured.workerId());
            assertEquals(kept.identity(), configured.identity());
        }
    }

    @Test
    void livingProcessKeepsOthersOut() {
        try (WorkerHome home = open("home", Optional.of("w1"))) {
            HeadmastException.Conflict refused =
                    assertThrows(HeadmastException.Conflict.class, () -> open("home", Optional.of("w1")));
            assertTrue(refused.detail().startsWith("worker w1 runs already on this machine"), refused::detail);
            assertFalse(home.identity().isEmpty());
        }
        open("home", Optional.of("w1")).close();
    }

    @Test
    void damagedFilesAreReplaced() throws IOException {
        Files.writeString(directory.resolve("worker-id"), "");
        Files.writeString(directory.resolve("home"), "no/name");

        try (WorkerHome home = WorkerHome.open(Optional.of(directory), Optional.empty())) {
            assertEquals(home.workerId(), Files.readString(directory.resolve("worker-id")));
            assertEquals(home.identity(), Files.readString(directory.resolve("home")));
        }
    }

    @Test
    void directoryThatCannotBeUsedIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        HeadmastException.Invalid failure = assertThrows(
                HeadmastException.Invalid.class, () -> WorkerHome.open(Optional.of(file), Optional.empty()));

        assertEquals(Optional.of("dataDir"), failure.field());
        assertTrue(failure.detail().contains(file.toString()), failure::detail);
    }

    @Test
    void withoutADirectoryNothingIsKept() {
        try (WorkerHome one = WorkerHome.open(Optional.empty(), Optional.empty());
                WorkerHome two = WorkerHome.open(Optional.empty(), Optional.of("w1"))) {
            assertEquals("", one.identity());
            assertFalse(one.workerId().isEmpty());
            assertEquals("w1", two.workerId());
        }
    }

    private WorkerHome open(String name, Optional<String> id) {
        return WorkerHome.open(Optional.of(directory.resolve(name)), id);
    }
}
