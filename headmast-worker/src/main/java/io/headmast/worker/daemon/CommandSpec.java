// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import io.headmast.api.json.Json;
import io.headmast.api.json.JsonFields;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command as a job's payload: {@code {"command":["sleep","60"],"env":{"A":"b"},"workdir":"/tmp"}}.
 *
 * @param command the program and its arguments; no shell reads them
 * @param env what the process finds in its environment beside what every unit finds there
 * @param workdir where it runs; the worker's own directory if absent
 */
record CommandSpec(List<String> command, Map<String, String> env, Optional<String> workdir) {
    /** @throws HeadmastException.Invalid if the payload is none */
    static CommandSpec parse(Payload payload) {
        JsonObject json;
        try {
            json = Json.parseObject(payload.toByteArray());
        } catch (HeadmastException.Invalid e) {
            throw new HeadmastException.Invalid(
                    "payload", "must be {\"command\":[\"program\",\"argument\"]}: " + e.detail());
        }
        JsonFields fields = new JsonFields(json);
        CommandSpec spec =
                new CommandSpec(fields.strings("command"), fields.stringMap("env"), fields.string("workdir"));
        if (spec.command.isEmpty()) {
            throw new HeadmastException.Invalid("command", "must name a program");
        }
        if (!fields.rest().names().isEmpty()) {
            throw new HeadmastException.Invalid(
                    fields.rest().names().iterator().next(), "is not known; there are command, env and workdir");
        }
        return spec;
    }
}
