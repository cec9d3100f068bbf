// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobOutcomes;
import io.headmast.api.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The jobs of one request: those that are let in, and the outcomes of those that are not. Not thread-safe. */
final class JobBatch {
    static final String NDJSON = "application/x-ndjson";
    static final int MAX_JOBS = 10_000;

    private final JobAdmission admission;
    private final List<Job> admitted = new ArrayList<>();

    /** One for each job, in order; empty for those that are let in. */
    private final List<Optional<JobOutcome>> refused = new ArrayList<>();

    private JobBatch(JobAdmission admission) {
        this.admission = admission;
    }

    /**
     * Reads a JSON array, or one JSON object on each line.
     *
     * @throws HeadmastException.Invalid if the array as a whole is malformed; a malformed line is that job's outcome
     * @throws HeadmastException.TooLarge if there are more than {@value #MAX_JOBS}
     */
    static JobBatch read(String mediaType, byte[] bytes, JobAdmission admission) {
        JobBatch batch = new JobBatch(admission);
        if (mediaType.equals(NDJSON)) {
            batch.readLines(bytes);
        } else {
            Json.parseArray(bytes, element -> batch.take(() -> element));
        }
        return batch;
    }

    List<Job> admitted() {
        return admitted;
    }

    /** All outcomes, given those of the jobs that were let in. */
    JobOutcomes outcomes(List<JobOutcome> ofAdmitted) {
        Iterator<JobOutcome> next = ofAdmitted.iterator();
        return new JobOutcomes(
                refused.stream().map(outcome -> outcome.orElseGet(next::next)).toList(), Optional.empty());
    }

    private void readLines(byte[] bytes) {
        int from = 0;
        for (int at = 0; at <= bytes.length; at++) {
            if (at == bytes.length || bytes[at] == '\n') {
                byte[] line = Arrays.copyOfRange(bytes, from, at);
                if (!isBlank(line)) {
                    take(() -> Json.parse(line));
                }
                from = at + 1;
            }
        }
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    private void take(Supplier<JsonElement> given) {
        if (refused.size() == MAX_JOBS) {
            throw new HeadmastException.TooLarge(
                    "the batch has more than " + MAX_JOBS + " jobs; send it in several requests");
        }
        Optional<String> id = Optional.empty();
        try {
            JsonElement element = given.get();
            if (!element.isJsonObject()) {
                throw new HeadmastException.Invalid("", "must be a JSON object");
            }
            JsonObject json = element.getAsJsonObject();
            id = idIn(json);
            admitted.add(admission.create(json));
            refused.add(Optional.empty());
        } catch (HeadmastException e) {
            refused.add(Optional.of(JobOutcome.failed(id, e)));
        }
    }

    /** What was sent as its id, whether it is a valid one or not, so that its sender can tell which job it was. */
    private static Optional<String> idIn(JsonObject json) {
        JsonElement id = json.get("id");
        return id != null && id.isJsonPrimitive() && id.getAsJsonPrimitive().isString()
                ? Optional.of(id.getAsString())
                : Optional.empty();
    }
}
