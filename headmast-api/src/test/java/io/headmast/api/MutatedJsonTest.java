// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import static org.junit.jupiter.api.Assertions.fail;

import com.google.gson.JsonObject;
import io.headmast.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Whatever bytes arrive, the answer is a value or {@link HeadmastException.Invalid}; seeded, so a failure repeats. */
class MutatedJsonTest {
    private static final int MUTANTS = "full".equals(System.getProperty("headmast.tier")) ? 100_000 : 3_000;
    private static final List<String> SPLINTERS = List.of(
            "null",
            "[]",
            "{}",
            "\"\"",
            "-1",
            "1e400",
            "9223372036854775808",
            "true",
            "[{}]",
            "[1]",
            "\"\\ud800\"",
            ",",
            ":",
            "\"",
            "{",
            "}",
            "[",
            "]",
            "\\",
            "\0",
            "//",
            "NaN",
            "..",
            "P1D",
            "-999999999-01-01T00:00:00Z");

    record Reader(String file, Consumer<JsonObject> read) {
        @Override
        public String toString() {
            return file;
        }
    }

    static final List<Reader> READERS = List.of(
            new Reader("job-full", json -> Job.fromJson(json).marshalBinary()),
            new Reader("job-unknown-fields", json -> Job.fromJson(json).marshalBinary()),
            new Reader("job-page", json -> JobPage.fromJson(json).toJson()),
            new Reader("job-change", json -> JobChange.fromJson(json).toJson()),
            new Reader("job-order", json -> JobOrder.fromJson(json).toJson()),
            new Reader("job-outcomes", json -> JobOutcomes.fromJson(json).toJson()),
            new Reader("state", json -> RunState.fromJson(json).toPayload()),
            new Reader("worker-view", json -> WorkerView.fromJson(json).toJson()),
            new Reader("kill-order", json -> KillOrder.fromJson(json).toJson()),
            new Reader("cordon", json -> Cordon.fromJson(json).toJson()),
            new Reader("cluster", json -> ClusterView.fromJson(json).toJson()));

    @ParameterizedTest
    @FieldSource("READERS")
    void noInputSurprisesAReader(Reader reader) {
        byte[] valid = GoldenText.read(reader.file()).getBytes(StandardCharsets.UTF_8);
        Random random = new Random(4711);
        for (int i = 0; i < MUTANTS; i++) {
            byte[] mutant = mutate(valid, random);
            try {
                reader.read().accept(Json.parseObject(mutant));
            } catch (HeadmastException.Invalid expected) {
                // The one answer to what can't be read.
            } catch (RuntimeException | StackOverflowError e) {
                fail("mutant " + i + ": " + new String(mutant, StandardCharsets.UTF_8), e);
            }
        }
    }

    private static byte[] mutate(byte[] valid, Random random) {
        byte[] mutant = valid;
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(Math.max(1, mutant.length - 1));
            int until = Math.min(mutant.length, at + random.nextInt(12));
            mutant = switch (random.nextInt(5)) {
                case 0 -> splice(mutant, at, at + 1, new byte[] {(byte) random.nextInt(256)});
                case 1 -> splice(mutant, at, until, new byte[0]);
                case 2 -> splice(mutant, at, at, splinter(random));
                case 3 -> splice(mutant, at, until, splinter(random));
                default -> replaceValue(mutant, random);
            };
        }
        return mutant;
    }

    /** Puts a splinter where a value stands, which keeps the document well-formed most of the time. */
    private static byte[] replaceValue(byte[] json, Random random) {
        String text = new String(json, StandardCharsets.ISO_8859_1);
        int colon = text.indexOf(':', random.nextInt(text.length()));
        int comma = text.indexOf(',', Math.max(colon, 0));
        return colon < 0 || comma < 0 ? json : splice(json, colon + 1, comma, splinter(random));
    }

    private static byte[] splinter(Random random) {
        return SPLINTERS.get(random.nextInt(SPLINTERS.size())).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] splice(byte[] bytes, int from, int to, byte[] by) {
        byte[] spliced = new byte[from + by.length + bytes.length - to];
        System.arraycopy(bytes, 0, spliced, 0, from);
        System.arraycopy(by, 0, spliced, from, by.length);
        System.arraycopy(bytes, to, spliced, from + by.length, bytes.length - to);
        return spliced;
    }
}
