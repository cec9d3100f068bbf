// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import com.google.gson.JsonObject;
import io.headmast.api.JobStatus;
import io.headmast.api.Named;
import io.headmast.api.TargetState;
import io.headmast.api.json.Json;
import io.headmast.api.json.JsonFields;
import io.headmast.server.faults.check.Operation.Outcome;
import io.headmast.server.faults.check.Operation.Seen;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The history of clients as lines of JSON, two to an operation: one before it is sent, one when its outcome is known. A
 * file of them is only ever appended to, so whatever a crash left is a history too: what has no second line is unknown.
 */
public final class OperationLines {
    private static final String INVOKE = "invoke";
    private static final String SHOWN = "shown";
    private static final String ACCEPTED = "accepted";
    private static final String ABSENT = "absent";
    private static final String REFUSED = "refused";
    private static final String FAILED = "failed";
    private static final String UNKNOWN = "unknown";

    private OperationLines() {}

    /** The line before the call. */
    public static String invoke(long id, Operation.Kind kind, String job, long at) {
        JsonObject json = line(id, at, INVOKE);
        json.addProperty("op", kind.wireName());
        json.addProperty("job", job);
        return Json.write(json);
    }

    /**
     * The line after the call.
     *
     * @param detail for people
     */
    public static String outcome(long id, long at, Outcome outcome, String detail) {
        JsonObject json = line(id, at, word(outcome));
        if (outcome instanceof Outcome.Shown shown) {
            Seen seen = shown.seen();
            json.addProperty("status", seen.status().wireName());
            json.addProperty("target", seen.target().wireName());
            json.addProperty("generation", seen.generation());
            json.addProperty("revision", seen.revision());
        }
        if (!detail.isEmpty()) {
            json.addProperty("detail", detail);
        }
        return Json.write(json);
    }

    /** The operations that lines tell of, by their invocation. */
    public static List<Operation> parse(List<String> lines) {
        Map<Long, Operation> operations = new LinkedHashMap<>();
        for (String text : lines) {
            JsonFields line = new JsonFields(Json.parseObject(text.getBytes(StandardCharsets.UTF_8)));
            long id = integer(line, "id");
            long at = integer(line, "at");
            String event = line.requiredString("event");
            if (event.equals(INVOKE)) {
                Operation.Kind kind = Named.parse(Operation.Kind.class, "op", line.requiredString("op"));
                operations.put(
                        id,
                        new Operation(id, kind, line.requiredString("job"), at, Long.MAX_VALUE, new Outcome.Unknown()));
            } else {
                Operation sent = operations.get(id);
                Outcome outcome = outcome(event, line);
                long returned = outcome instanceof Outcome.Unknown ? Long.MAX_VALUE : at;
                operations.put(id, new Operation(id, sent.kind(), sent.job(), sent.invoked(), returned, outcome));
            }
        }
        return new ArrayList<>(operations.values());
    }

    private static JsonObject line(long id, long at, String event) {
        JsonObject json = new JsonObject();
        json.addProperty("id", id);
        json.addProperty("at", at);
        json.addProperty("event", event);
        return json;
    }

    private static String word(Outcome outcome) {
        if (outcome instanceof Outcome.Shown) {
            return SHOWN;
        } else if (outcome instanceof Outcome.Accepted) {
            return ACCEPTED;
        } else if (outcome instanceof Outcome.Absent) {
            return ABSENT;
        } else if (outcome instanceof Outcome.Refused) {
            return REFUSED;
        } else if (outcome instanceof Outcome.Failed) {
            return FAILED;
        }
        return UNKNOWN;
    }

    private static Outcome outcome(String event, JsonFields line) {
        return switch (event) {
            case SHOWN ->
                new Outcome.Shown(new Seen(
                        Named.parse(JobStatus.class, "status", line.requiredString("status")),
                        Named.parse(TargetState.class, "target", line.requiredString("target")),
                        integer(line, "generation"),
                        integer(line, "revision")));
            case ACCEPTED -> new Outcome.Accepted();
            case ABSENT -> new Outcome.Absent();
            case REFUSED -> new Outcome.Refused();
            case FAILED -> new Outcome.Failed();
            case UNKNOWN -> new Outcome.Unknown();
            default -> throw new IllegalStateException("not an event: " + event);
        };
    }

    private static long integer(JsonFields line, String name) {
        return line.integer(name).orElseThrow(() -> new IllegalStateException("a line without " + name));
    }
}
