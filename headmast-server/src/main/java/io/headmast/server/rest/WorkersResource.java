// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.headmast.api.Cordon;
import io.headmast.api.HeadmastException;
import io.headmast.api.WorkerView;
import io.headmast.api.json.JsonFields;
import io.headmast.core.manager.WorkerManager;
import io.headmast.server.http.Request;
import io.headmast.server.http.Response;
import io.headmast.server.http.Route;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** {@code /api/v1/workers}: workers and their cordons. */
final class WorkersResource {
    private static final String WORKERS = RestApi.BASE + "/workers";
    private static final String WORKER = WORKERS + "/{id}";
    private static final int MAX_TEXT = 1024;

    private final WorkerManager workers;
    private final Clock clock;

    WorkersResource(WorkerManager workers, Clock clock) {
        this.workers = workers;
        this.clock = clock;
    }

    List<Route> routes() {
        return List.of(
                Route.of("GET", WORKERS, request -> workers.getWorkers().thenApply(WorkersResource::list)),
                Route.of(
                        "GET",
                        WORKER,
                        request -> workers.getWorker(request.name("id")).thenApply(WorkersResource::ok)),
                Route.of(
                        "DELETE",
                        WORKER,
                        request -> workers.removeWorker(request.name("id")).thenApply(nothing -> Response.noContent())),
                Route.of("POST", WORKER + "/cordon", request -> mark(request, Cordon.Mode.CORDON)),
                Route.of("POST", WORKER + "/drain", request -> mark(request, Cordon.Mode.DRAIN)),
                Route.of("POST", WORKER + "/uncordon", request -> cordon(request, Optional.empty())));
    }

    private CompletableFuture<Response> mark(Request request, Cordon.Mode mode) {
        JsonFields fields = new JsonFields(request.hasBody() ? request.json() : new JsonObject());
        return cordon(
                request, Optional.of(new Cordon(mode, text(fields, "by"), text(fields, "reason"), clock.instant())));
    }

    private CompletableFuture<Response> cordon(Request request, Optional<Cordon> cordon) {
        return workers.cordonWorker(request.name("id"), cordon).thenApply(WorkersResource::ok);
    }

    private static String text(JsonFields fields, String name) {
        String text = fields.string(name).orElse("");
        if (text.length() > MAX_TEXT) {
            throw new HeadmastException.Invalid(name, "must have at most " + MAX_TEXT + " characters");
        }
        return text;
    }

    private static Response ok(WorkerView view) {
        return Response.json(200, view.toJson());
    }

    private static Response list(List<WorkerView> views) {
        JsonArray items = new JsonArray();
        views.forEach(view -> items.add(view.toJson()));
        JsonObject json = new JsonObject();
        json.add("items", items);
        return Response.json(200, json);
    }
}
