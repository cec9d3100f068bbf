// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import com.google.gson.JsonObject;
import io.headmast.api.Assignment;
import io.headmast.api.Cordon;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.api.KillOrder;
import io.headmast.api.Payload;
import io.headmast.api.RunState;
import io.headmast.api.Server;
import io.headmast.api.Worker;
import io.headmast.api.json.Json;
import io.headmast.core.mirror.Projection;
import io.headmast.core.store.KeyValue;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server keeps of a key: its name and its value, without a job's payload.
 *
 * @param value empty when it can't be read
 */
public record Fact(Keys.Name name, Optional<?> value) {
    private static final Logger LOG = LoggerFactory.getLogger(Fact.class);

    /** Reads everything under the prefix; a stray key counts as absent. Both are reported when they are seen. */
    static Projection<Fact> projection(Keys keys) {
        return item -> {
            Optional<Keys.Name> name = keys.parse(item.key());
            if (name.isEmpty()) {
                LOG.warn("stray key is skipped key={} revision={}", Json.quote(item.key()), item.modRevision());
            }
            return name.map(known -> new Fact(known, read(known, item)));
        };
    }

    private static Optional<?> read(Keys.Name name, KeyValue item) {
        try {
            return Optional.of(reader(name).apply(Json.parseObject(item.value().toByteArray())));
        } catch (HeadmastException.Invalid e) {
            LOG.warn(
                    "corrupt value is skipped key={} revision={} problem={}",
                    item.key(),
                    item.modRevision(),
                    Json.quote(e.detail()));
            return Optional.empty();
        }
    }

    private static Function<JsonObject, Object> reader(Keys.Name name) {
        if (name instanceof Keys.Name.OfJob) {
            return json ->
                    Job.fromJson(json).toBuilder().payload(Payload.empty()).build();
        } else if (name instanceof Keys.Name.OfState) {
            return RunState::fromJson;
        } else if (name instanceof Keys.Name.OfWorker) {
            return Worker::fromJson;
        } else if (name instanceof Keys.Name.OfAssignment) {
            return Assignment::fromJson;
        } else if (name instanceof Keys.Name.OfKiller) {
            return KillOrder::fromJson;
        } else if (name instanceof Keys.Name.OfCordon) {
            return Cordon::fromJson;
        }
        return Server::fromJson;
    }
}
