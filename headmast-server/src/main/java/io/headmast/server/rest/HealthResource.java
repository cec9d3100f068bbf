// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.core.manager.ClusterReader;
import io.headmast.server.http.Request;
import io.headmast.server.http.Response;
import io.headmast.server.http.Route;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code /healthz}: the process answers; {@code /readyz}: it follows the store, too. Both are served even when the
 * server is full: a busy server must not be taken for a dead one.
 */
final class HealthResource {
    private final ClusterReader cluster;

    HealthResource(ClusterReader cluster) {
        this.cluster = cluster;
    }

    List<Route> routes() {
        return List.of(
                Route.of("GET", "/healthz", request -> ok()).asVital(),
                Route.of("GET", "/readyz", this::ready).asVital());
    }

    private CompletableFuture<Response> ready(Request request) {
        if (!cluster.isReady()) {
            throw new HeadmastException.Unavailable("this server does not follow the store yet");
        }
        return ok();
    }

    private static CompletableFuture<Response> ok() {
        JsonObject json = new JsonObject();
        json.addProperty("status", "ok");
        return CompletableFuture.completedFuture(Response.json(200, json));
    }
}
