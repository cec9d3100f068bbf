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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * What a server keeps of a key: its name and its value, without a job's payload.
 *
 * @param value empty when it can't be read
 */
public record Fact(Keys.Name name, Optional<?> value) {
    private static final Logger LOG = LoggerFactory.getLogger(Fact.class);

    /**
     * Reads everything under the prefix; a stray key counts as absent, and a value that can't be read as such.
     *
     * @param records is shown each job's record with its payload
     * @param reports how loudly to say so, once
     */
    static Projection<Fact> projection(Keys keys, ClusterMirror.RecordReader records, Level reports) {
        Reports strays = new Reports();
        return item -> {
            Optional<Keys.Name> name = keys.parse(item.key());
            if (name.isEmpty() && strays.isNew(item)) {
                LOG.atLevel(reports)
                        .log("stray key is skipped key={} revision={}", Json.quote(item.key()), item.modRevision());
            }
            return name.map(known ->
                    new Fact(known, read(known, item, reports).map(value -> light(value, item, records))));
        };
    }

    /** The strays that were reported: unlike other keys they are read again with every listing. */
    private static final class Reports extends LinkedHashMap<String, Long> {
        private static final long serialVersionUID = 1L;
        private static final int MAX_REMEMBERED = 1_000;

        boolean isNew(KeyValue item) {
            Long reported = put(item.key(), item.modRevision());
            return reported == null || reported != item.modRevision();
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MAX_REMEMBERED;
        }
    }

    private static Object light(Object value, KeyValue item, ClusterMirror.RecordReader records) {
        if (value instanceof Job job) {
            records.read(job, item.modRevision());
            return job.toBuilder().payload(Payload.empty()).build();
        }
        return value;
    }

    private static Optional<?> read(Keys.Name name, KeyValue item, Level reports) {
        try {
            Object value = reader(name).apply(Json.parseObject(item.value().toByteArray()));
            requireOwnId(name, value);
            return Optional.of(value);
        } catch (HeadmastException.Invalid e) {
            LOG.atLevel(reports)
                    .log(
                            "corrupt value is skipped key={} revision={} problem={}",
                            Json.quote(item.key()),
                            item.modRevision(),
                            Json.quote(e.detail()));
            return Optional.empty();
        }
    }

    /** A value that says it is another's would be counted in two places. */
    private static void requireOwnId(Keys.Name name, Object value) {
        boolean own = true;
        if (name instanceof Keys.Name.OfJob of && value instanceof Job job) {
            own = job.id().equals(of.jobId());
        } else if (name instanceof Keys.Name.OfWorker of && value instanceof Worker worker) {
            own = worker.id().equals(of.workerId());
        } else if (name instanceof Keys.Name.OfServer of && value instanceof Server server) {
            own = server.id().equals(of.serverId());
        }
        if (!own) {
            throw new HeadmastException.Invalid("id", "is not the one in the key");
        }
    }

    private static Function<JsonObject, Object> reader(Keys.Name name) {
        if (name instanceof Keys.Name.OfJob) {
            return Job::fromJson;
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
