// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobOrder;
import io.headmast.core.manager.JobManager;
import io.headmast.server.http.BodyForm;
import io.headmast.server.http.Request;
import io.headmast.server.http.Response;
import io.headmast.server.http.Route;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** {@code /api/v1/jobs:batch} and {@code /api/v1/jobs:orders}: many jobs at once, with an outcome for each. */
final class ManyJobsResource {
    /** The most bytes of a batch. */
    static final int MAX_BATCH_BYTES = 32 * 1024 * 1024;

    /** Less than the time of a request: what isn't known by then is told job by job. */
    private static final Duration LIMIT = Duration.ofSeconds(8);

    private static final BodyForm BATCH =
            new BodyForm(List.of(BodyForm.JSON_TYPE, JobBatch.NDJSON), OptionalInt.of(MAX_BATCH_BYTES));

    private final JobManager jobs;
    private final JobAdmission admission;

    ManyJobsResource(JobManager jobs, JobAdmission admission) {
        this.jobs = jobs;
        this.admission = admission;
    }

    List<Route> routes() {
        return List.of(
                Route.of("POST", RestApi.BASE + "/jobs:batch", this::create).withBody(BATCH),
                Route.of("POST", RestApi.BASE + "/jobs:orders", this::order));
    }

    private CompletableFuture<Response> create(Request request) {
        if (!request.hasBody()) {
            throw new HeadmastException.Invalid("", "the request needs jobs as its body: a JSON array, or NDJSON");
        }
        JobBatch batch = JobBatch.read(request.mediaType(), request.bytes(), admission);
        return jobs.addJobs(batch.admitted(), LIMIT)
                .thenApply(
                        outcomes -> Response.json(200, batch.outcomes(outcomes).toJson()));
    }

    private CompletableFuture<Response> order(Request request) {
        return jobs.orderJobs(JobOrder.fromJson(request.json()), LIMIT)
                .thenApply(outcomes -> Response.json(200, outcomes.toJson()));
    }
}
