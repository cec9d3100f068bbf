// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.headmast.api.json.Json;
import io.headmast.api.json.JsonFields;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The state of a job's run: what is stored under {@code states/}, written by the leader when it places the job and by
 * the worker it is placed on from then on, and what users are shown. Immutable.
 *
 * @param phase where the run stands
 * @param worker the worker it is placed on, or was when the state was written
 * @param epoch the fencing token of the placement; 0 in a stored state that is {@code scheduled}, where the token is the
 *     state's own revision
 * @param generation the job's generation that this run belongs to
 * @param attempt counts the starts within the generation, lapses of a worker included
 * @param since when it came into this phase; the epoch, and left out of JSON, when nothing was stored yet
 * @param reason why, for people
 * @param exit the exit code of an OS process that ended
 * @param progress what the handler reported last
 * @param handBacks workers that could not run this generation
 */
public record RunState(
        Phase phase,
        Optional<String> worker,
        long epoch,
        long generation,
        int attempt,
        Instant since,
        String reason,
        Optional<Integer> exit,
        Optional<String> progress,
        List<HandBack> handBacks) {
    public RunState {
        handBacks = List.copyOf(handBacks);
    }

    /**
     * A worker that gave this generation back because it could not run it. It is not asked again before its
     * registration or the job changes, or {@code until} has passed.
     *
     * @param registration the create revision of the worker's registration
     * @param times how often in a row
     */
    public record HandBack(String worker, long registration, int times, Instant until, String reason) {}

    /** A state of a job that is not placed. */
    public static RunState unplaced(Phase phase, long generation, int attempt, Instant since, String reason) {
        return new RunState(
                phase,
                Optional.empty(),
                0,
                generation,
                attempt,
                since,
                reason,
                Optional.empty(),
                Optional.empty(),
                List.of());
    }

    /** The same run in another phase. */
    public RunState to(Phase next, Instant when, String why) {
        return new RunState(next, worker, epoch, generation, attempt, when, why, exit, progress, handBacks);
    }

    public RunState withWorker(Optional<String> value, long placementEpoch) {
        return new RunState(
                phase, value, placementEpoch, generation, attempt, since, reason, exit, progress, handBacks);
    }

    public RunState withAttempt(int value) {
        return new RunState(phase, worker, epoch, generation, value, since, reason, exit, progress, handBacks);
    }

    public RunState withOutcome(Optional<Integer> exitCode, Optional<String> lastProgress) {
        return new RunState(
                phase, worker, epoch, generation, attempt, since, reason, exitCode, lastProgress, handBacks);
    }

    public RunState withHandBacks(List<HandBack> value) {
        return new RunState(phase, worker, epoch, generation, attempt, since, reason, exit, progress, value);
    }

    public JsonObject toJson() {
        JsonObject json = new JsonObject();
        json.addProperty("state", phase.wireName());
        worker.ifPresent(id -> json.addProperty("worker", id));
        if (epoch != 0) {
            json.addProperty("epoch", epoch);
        }
        json.addProperty("generation", generation);
        json.addProperty("attempt", attempt);
        if (!since.equals(Instant.EPOCH)) {
            json.addProperty("since", since.toString());
        }
        json.addProperty("reason", reason);
        exit.ifPresent(code -> json.addProperty("exit", code));
        progress.ifPresent(text -> json.addProperty("progress", text));
        if (!handBacks.isEmpty()) {
            JsonArray array = new JsonArray();
            handBacks.forEach(handBack -> array.add(write(handBack)));
            json.add("handBacks", array);
        }
        return json;
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static RunState fromJson(JsonObject json) {
        JsonFields fields = new JsonFields(json);
        List<HandBack> handBacks = new ArrayList<>();
        for (JsonObject element : fields.objects("handBacks")) {
            handBacks.add(readHandBack(element));
        }
        return new RunState(
                Named.parse(Phase.class, "state", fields.requiredString("state")),
                fields.string("worker").map(id -> Names.require("worker", id)),
                fields.integer("epoch").orElse(0L),
                fields.integer("generation").orElse(1L),
                fields.integer("attempt", 0, Integer.MAX_VALUE).orElse(0),
                fields.instant("since").orElse(Instant.EPOCH),
                fields.string("reason").orElse(""),
                fields.integer("exit", Integer.MIN_VALUE, Integer.MAX_VALUE),
                fields.string("progress"),
                handBacks);
    }

    public Payload toPayload() {
        return Json.toPayload(toJson());
    }

    private static JsonObject write(HandBack handBack) {
        JsonObject json = new JsonObject();
        json.addProperty("worker", handBack.worker());
        json.addProperty("registration", handBack.registration());
        json.addProperty("times", handBack.times());
        json.addProperty("until", handBack.until().toString());
        json.addProperty("reason", handBack.reason());
        return json;
    }

    private static HandBack readHandBack(JsonObject json) {
        JsonFields fields = new JsonFields(json, "handBacks.");
        return new HandBack(
                fields.requiredString("worker"),
                fields.integer("registration").orElse(0L),
                fields.integer("times", 1, Integer.MAX_VALUE).orElse(1),
                fields.instant("until").orElse(Instant.EPOCH),
                fields.string("reason").orElse(""));
    }
}
