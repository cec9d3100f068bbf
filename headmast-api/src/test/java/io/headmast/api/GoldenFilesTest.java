// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import io.headmast.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What is stored and sent today must be readable, and unchanged by being read, in every later version. */
class GoldenFilesTest {
    record Golden(String file, UnaryOperator<JsonObject> readAndWrite) {
        @Override
        public String toString() {
            return file;
        }
    }

    static final List<Golden> GOLDEN = List.of(
            new Golden("job-minimal", json -> Job.fromJson(json).toJson()),
            new Golden("job-full", json -> Job.fromJson(json).toJson()),
            new Golden("job-unknown-fields", json -> Job.fromJson(json).toJson()),
            new Golden("job-page", json -> JobPage.fromJson(json).toJson()),
            new Golden("job-change", json -> JobChange.fromJson(json).toJson()),
            new Golden("job-order", json -> JobOrder.fromJson(json).toJson()),
            new Golden("job-order-all", json -> JobOrder.fromJson(json).toJson()),
            new Golden("job-outcomes", json -> JobOutcomes.fromJson(json).toJson()),
            new Golden("state", json -> RunState.fromJson(json).toJson()),
            new Golden("state-pending", json -> RunState.fromJson(json).toJson()),
            new Golden("worker", GoldenFilesTest::registration),
            new Golden("worker-view", json -> WorkerView.fromJson(json).toJson()),
            new Golden("kill-order", json -> KillOrder.fromJson(json).toJson()),
            new Golden("cordon", json -> Cordon.fromJson(json).toJson()),
            new Golden("server", json -> Server.fromJson(json).toJson()),
            new Golden("cluster", json -> ClusterView.fromJson(json).toJson()));

    @ParameterizedTest
    @FieldSource("GOLDEN")
    void whatIsReadIsWrittenBackByteByByte(Golden golden) {
        String text = GoldenText.read(golden.file());

        JsonObject written = golden.readAndWrite().apply(Json.parseObject(bytes(text)));

        assertEquals(text, Json.toPayload(written).toText());
    }

    @Test
    void integersBeyondDoublesAreExact() {
        RunState state = RunState.fromJson(GoldenText.json("state"));
        JobView view = JobPage.fromJson(GoldenText.json("job-page")).items().get(0);

        assertEquals(9007199254740995L, state.epoch());
        assertEquals(4611686018427387905L, state.handBacks().get(0).registration());
        assertEquals(9007199254740993L, view.revision());
    }

    @Test
    void aMinimalJobTakesTheDefaults() {
        Job job = Job.unmarshalBinary(bytes("{\"id\":\"chain-7\"}"));

        assertEquals(GoldenText.read("job-minimal"), new String(job.marshalBinary(), StandardCharsets.UTF_8));
    }

    @Test
    void unknownMembersSurviveAnUpdate() {
        Job stored = Job.fromJson(GoldenText.json("job-unknown-fields"));

        Job updated = stored.toBuilder().weight(5).payload("other").build();

        String text = new String(updated.marshalBinary(), StandardCharsets.UTF_8);
        assertEquals(stored.unknown(), updated.unknown());
        assertTrue(text.contains("\"exact\":9007199254740993"), text);
        assertTrue(text.contains("\"bomb\":1e999999999"), text);
        assertTrue(text.contains("\"exponent\":1E+3"), text);
    }

    @Test
    void theObservedSideOfAViewIsNoPartOfTheJob() {
        JsonObject shown =
                GoldenText.json("job-page").getAsJsonArray("items").get(0).getAsJsonObject();

        Job job = JobView.jobIn(shown);

        assertEquals(List.of("note"), List.copyOf(job.unknown().names()));
    }

    private static JsonObject registration(JsonObject json) {
        return Json.parseObject(Worker.fromJson(json).marshalBinary());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
