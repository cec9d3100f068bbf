// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.DurationText;
import io.headmast.api.json.Json;
import io.headmast.api.json.UnknownFields;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A job: a long-running piece of work, as its user describes it, with the user's latest order. What becomes of it is
 * its {@link RunState}. Immutable and thread-safe; every instance is valid.
 *
 * <p>The seed's {@code Job} had id, domain, payload and status; the rest of fleet's job is here too.
 *
 * @param id the job's name, unique in the cluster (see {@link Names})
 * @param domain the kind of work: it runs only on workers that serve its domain
 * @param payload what the handler gets; headmast does not look into it
 * @param status the user's order
 * @param targetState how far it should be brought
 * @param generation raised by {@code restart}, by {@code alive} or {@code start} of an ended job, and by a change of
 *     payload or domain; an ending holds for its generation only
 * @param weight how much of a worker's capacity it takes, positive
 * @param labels for people and selectors; they don't influence placement
 * @param restart when it runs again after it ended by itself
 * @param maxRunTime how long one attempt may run; its worker ends a longer one, as a failure. More than 0, at most
 *     100 years of 365 days; empty for no limit
 * @param retainFor how long record and state are kept once it is completed or failed, counted from its state's {@code
 *     since}, which is the wall clock of its worker, and judged by the wall clock of the leader: where these differ it is
 *     kept longer or shorter by as much. At most 100 years of 365 days; empty for ever
 * @param unknown members of its JSON that this version doesn't know; kept
 */
public record Job(
        String id,
        String domain,
        Payload payload,
        JobStatus status,
        TargetState targetState,
        long generation,
        int weight,
        Map<String, String> labels,
        RestartPolicy restart,
        Optional<Duration> maxRunTime,
        Optional<Duration> retainFor,
        UnknownFields unknown) {
    public static final String DEFAULT_DOMAIN = "default";

    private static final Duration LONGEST = Duration.ofDays(36_500);

    /**
     * Checks the bounds; what is finer than a millisecond is cut off durations, since the JSON form doesn't carry it.
     *
     * @throws HeadmastException.Invalid naming the field that is at fault
     */
    public Job {
        Names.require("id", id);
        Names.require("domain", domain);
        if (generation < 1) {
            throw new HeadmastException.Invalid("generation", "must be at least 1");
        }
        if (weight < 1) {
            throw new HeadmastException.Invalid("weight", "must be at least 1");
        }
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
        maxRunTime = maxRunTime.map(time -> inBounds("maxRunTime", time, Duration.ofMillis(1)));
        retainFor = retainFor.map(time -> inBounds("retainFor", time, Duration.ZERO));
    }

    private static Duration inBounds(String field, Duration duration, Duration least) {
        if (duration.compareTo(least) < 0 || duration.compareTo(LONGEST) > 0) {
            throw new HeadmastException.Invalid(
                    field, "must lie between " + DurationText.format(least) + " and " + DurationText.format(LONGEST));
        }
        return duration.truncatedTo(ChronoUnit.MILLIS);
    }

    /** A builder with a random id, the default domain, and no payload. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from this job. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** The JSON that is stored in etcd and sent over HTTP. */
    public byte[] marshalBinary() {
        return Json.toPayload(toJson()).toByteArray();
    }

    /**
     * Reads what {@link #marshalBinary()} wrote, or a person did: only the id is required.
     *
     * @throws HeadmastException.Invalid naming the field that is at fault
     */
    public static Job unmarshalBinary(byte[] bytes) {
        return fromJson(Json.parseObject(bytes));
    }

    /** The JSON form, with the members this version doesn't know at its end. */
    public JsonObject toJson() {
        return JobJson.write(this);
    }

    /** @throws HeadmastException.Invalid naming the field that is at fault */
    public static Job fromJson(JsonObject json) {
        return JobJson.read(json);
    }

    /** Whether the user wants it placed, whatever became of it. */
    public boolean wantsPlacement() {
        return status == JobStatus.CREATED && targetState != TargetState.INACTIVE;
    }

    /** Builds jobs; not thread-safe. Nothing is checked before {@link #build()}. */
    public static final class Builder {
        private String id = "";
        private String domain = DEFAULT_DOMAIN;
        private Payload payload = Payload.empty();
        private JobStatus status = JobStatus.CREATED;
        private TargetState targetState = TargetState.LAUNCHED;
        private long generation = 1;
        private int weight = 1;
        private Map<String, String> labels = Map.of();
        private RestartPolicy restart = RestartPolicy.DEFAULT;
        private Optional<Duration> maxRunTime = Optional.empty();
        private Optional<Duration> retainFor = Optional.empty();
        private UnknownFields unknown = UnknownFields.none();

        private Builder() {}

        private Builder(Job job) {
            id = job.id;
            domain = job.domain;
            payload = job.payload;
            status = job.status;
            targetState = job.targetState;
            generation = job.generation;
            weight = job.weight;
            labels = job.labels;
            restart = job.restart;
            maxRunTime = job.maxRunTime;
            retainFor = job.retainFor;
            unknown = job.unknown;
        }

        public Builder id(String value) {
            id = value;
            return this;
        }

        public Builder domain(String value) {
            domain = value;
            return this;
        }

        public Builder payload(Payload value) {
            payload = value;
            return this;
        }

        /** The UTF-8 bytes of a text. */
        public Builder payload(String text) {
            return payload(Payload.of(text));
        }

        public Builder status(JobStatus value) {
            status = value;
            return this;
        }

        public Builder targetState(TargetState value) {
            targetState = value;
            return this;
        }

        public Builder generation(long value) {
            generation = value;
            return this;
        }

        public Builder weight(int value) {
            weight = value;
            return this;
        }

        public Builder labels(Map<String, String> value) {
            labels = value;
            return this;
        }

        public Builder restart(RestartPolicy value) {
            restart = value;
            return this;
        }

        public Builder maxRunTime(Duration value) {
            maxRunTime = Optional.of(value);
            return this;
        }

        public Builder retainFor(Duration value) {
            retainFor = Optional.of(value);
            return this;
        }

        public Builder unknown(UnknownFields value) {
            unknown = value;
            return this;
        }

        /** @throws HeadmastException.Invalid naming the field that is at fault */
        public Job build() {
            return new Job(
                    id.isEmpty() ? Names.random() : id,
                    domain,
                    payload,
                    status,
                    targetState,
                    generation,
                    weight,
                    labels,
                    restart,
                    maxRunTime,
                    retainFor,
                    unknown);
        }
    }
}
