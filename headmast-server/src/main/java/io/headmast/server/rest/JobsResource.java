// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobQuery;
import io.headmast.api.JobStatus;
import io.headmast.api.JobView;
import io.headmast.api.Named;
import io.headmast.api.Phase;
import io.headmast.core.manager.JobManager;
import io.headmast.server.http.EntityTag;
import io.headmast.server.http.QueryParameters;
import io.headmast.server.http.Request;
import io.headmast.server.http.Response;
import io.headmast.server.http.Route;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** {@code /api/v1/jobs}: jobs and the orders about one of them. */
final class JobsResource {
    private static final String JOBS = RestApi.BASE + "/jobs";
    private static final String JOB = JOBS + "/{id}";

    private final JobManager jobs;
    private final JobAdmission admission;
    private final DeletionWaits waits;

    JobsResource(JobManager jobs, JobAdmission admission) {
        this.jobs = jobs;
        this.admission = admission;
        this.waits = new DeletionWaits(jobs);
    }

    List<Route> routes() {
        return List.of(
                Route.of("POST", JOBS, this::create),
                Route.of("GET", JOBS, this::list)
                        .withQuery("domain", "status", "state", "worker", "label", "limit", "cursor"),
                Route.of("GET", JOB, request -> jobs.getJob(request.name("id")).thenApply(JobsResource::ok)),
                Route.of("PUT", JOB, this::update),
                Route.of("DELETE", JOB, this::delete).withQuery("wait").withExtraTime(DeletionWaits.MAX_WAIT),
                Route.of("POST", JOB + "/{action}", this::order));
    }

    private CompletableFuture<Response> create(Request request) {
        return jobs.addJob(admission.create(request.json())).thenApply(added -> {
            Response response = shown(added.created() ? 201 : 200, added.view());
            return added.created()
                    ? response.header(
                            "Location", JOBS + "/" + added.view().job().id())
                    : response;
        });
    }

    private CompletableFuture<Response> list(Request request) {
        return jobs.getJobs(query(request.query())).thenApply(page -> Response.json(200, page.toJson()));
    }

    private CompletableFuture<Response> update(Request request) {
        JsonObject given = request.json();
        Job wanted = admission.update(request.name("id"), given);
        return jobs.updateJob(wanted.id(), stored -> keepingOrders(wanted, given, stored), request.ifMatch())
                .thenApply(JobsResource::ok);
    }

    /** An order that isn't repeated still stands: leaving it out must not make a killed job run. */
    private static Job keepingOrders(Job wanted, JsonObject given, Job stored) {
        Job.Builder next = wanted.toBuilder();
        if (!given.has("status")) {
            next.status(stored.status());
        }
        if (!given.has("targetState")) {
            next.targetState(stored.targetState());
        }
        return next.build();
    }

    private CompletableFuture<Response> delete(Request request) {
        Duration wait = request.query().duration("wait").orElse(Duration.ZERO);
        if (wait.compareTo(DeletionWaits.MAX_WAIT) > 0) {
            throw new HeadmastException.Invalid("wait", "must be at most " + DeletionWaits.MAX_WAIT.toSeconds() + "s");
        }
        return waits.remove(request.name("id"), wait)
                .thenApply(removal -> removal.gone() ? Response.noContent() : shown(202, removal.view()));
    }

    private CompletableFuture<Response> order(Request request) {
        JobAction action = Named.parse(JobAction.class, "action", request.name("action"));
        OptionalLong ifRevision = request.ifMatch();
        return jobs.controlJob(request.name("id"), action, ifRevision).thenApply(JobsResource::ok);
    }

    private static Response ok(JobView view) {
        return shown(200, view);
    }

    private static Response shown(int status, JobView view) {
        return Response.json(status, view.toJson()).header("ETag", EntityTag.of(view.revision()));
    }

    private static JobQuery query(QueryParameters given) {
        return new JobQuery(
                given.get("domain"),
                given.get("status").map(name -> Named.parse(JobStatus.class, "status", name)),
                given.get("state").map(name -> Named.parse(Phase.class, "state", name)),
                given.get("worker"),
                labels(given.all("label")),
                given.integer("limit").orElse(JobQuery.DEFAULT_LIMIT),
                given.get("cursor"));
    }

    private static Map<String, String> labels(List<String> pairs) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new HeadmastException.Invalid("label", "must look like name=value");
            }
            String before = labels.put(pair.substring(0, equals), pair.substring(equals + 1));
            if (before != null) {
                throw new HeadmastException.Invalid("label", "names the same label twice");
            }
        }
        return labels;
    }
}
