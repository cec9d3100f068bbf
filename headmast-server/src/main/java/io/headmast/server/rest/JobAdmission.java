// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.Names;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a job must be to be let in by REST: within the limits, and without demands that this version would accept and
 * then ignore. Immutable.
 */
final class JobAdmission {
    /** The most bytes of a record besides its payload: labels and members that this version doesn't know, mostly. */
    static final int MAX_RECORD = 64 * 1024;

    /** Members with a meaning that is not enforced yet, and which of their values ask for it. */
    private static final Map<String, Predicate<JsonElement>> UNSUPPORTED = new TreeMap<>(Map.of(
            "requirements", value -> !isEmpty(value),
            "signatures", value -> !isEmpty(value),
            "priority", value -> !isZero(value)));

    private final int payloadLimit;

    JobAdmission(int payloadLimit) {
        this.payloadLimit = payloadLimit;
    }

    /**
     * A new job from what a client sent; without an id it gets a random one, and its generation is the first.
     *
     * @throws HeadmastException.Invalid naming the field that is at fault
     * @throws HeadmastException.TooLarge if a limit is exceeded
     */
    Job create(JsonObject json) {
        if (isAbsent(json.get("id"))) {
            json.addProperty("id", Names.random());
        }
        json.remove("generation");
        return admit(json);
    }

    /**
     * The new record of the job with that id; the rules are those of {@link #create}.
     *
     * @param json may leave the id out, but not name another
     */
    Job update(String id, JsonObject json) {
        if (isAbsent(json.get("id"))) {
            json.addProperty("id", id);
        }
        Job job = admit(json);
        if (!job.id().equals(id)) {
            throw new HeadmastException.Invalid("id", "must be the one in the path; a job can't be renamed");
        }
        return job;
    }

    private Job admit(JsonObject json) {
        UNSUPPORTED.forEach((name, asksForIt) -> {
            JsonElement value = json.get(name);
            if (!isAbsent(value) && asksForIt.test(value)) {
                throw new HeadmastException.Invalid(name, "is not supported by this version");
            }
        });
        Job job = JobView.jobIn(json);
        if (job.status() == JobStatus.DELETING) {
            throw new HeadmastException.Invalid("status", "can't be set to deleting; DELETE the job instead");
        }
        requireSize(job);
        return job;
    }

    private void requireSize(Job job) {
        int payload = job.payload().size();
        if (payload > payloadLimit) {
            throw new HeadmastException.TooLarge("the payload has " + payload + " bytes; the limit is " + payloadLimit);
        }
        int record = job.marshalBinary().length - (payload + 2) / 3 * 4;
        if (record > MAX_RECORD) {
            throw new HeadmastException.TooLarge("the job without its payload (labels and members that this version"
                    + " doesn't know, mostly) has " + record + " bytes; the limit is " + MAX_RECORD);
        }
    }

    private static boolean isAbsent(@Nullable JsonElement value) {
        return value == null || value.isJsonNull();
    }

    private static boolean isEmpty(JsonElement value) {
        return (value.isJsonObject() && value.getAsJsonObject().isEmpty())
                || (value.isJsonArray() && value.getAsJsonArray().isEmpty());
    }

    private static boolean isZero(JsonElement value) {
        return value.isJsonPrimitive() && value.getAsString().equals("0");
    }
}
