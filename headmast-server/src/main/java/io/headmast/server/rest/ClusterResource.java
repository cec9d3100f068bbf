// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import io.headmast.core.manager.ClusterReader;
import io.headmast.server.http.Response;
import io.headmast.server.http.Route;
import java.util.List;

/** {@code /api/v1/cluster}: the cluster as a whole. */
final class ClusterResource {
    private final ClusterReader cluster;

    ClusterResource(ClusterReader cluster) {
        this.cluster = cluster;
    }

    List<Route> routes() {
        return List.of(Route.of(
                "GET",
                RestApi.BASE + "/cluster",
                request -> cluster.cluster().thenApply(view -> Response.json(200, view.toJson()))));
    }
}
