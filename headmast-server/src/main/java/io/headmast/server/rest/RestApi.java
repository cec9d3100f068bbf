// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import io.headmast.core.manager.ClusterReader;
import io.headmast.core.manager.JobFeed;
import io.headmast.core.manager.JobManager;
import io.headmast.core.manager.WorkerManager;
import io.headmast.server.http.Route;
import io.headmast.server.http.Router;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/**
 * Everything that is served, put together.
 *
 * @param payloadLimit the most bytes of a job's payload
 * @param clock dates operators' marks
 */
public record RestApi(
        JobManager jobs, WorkerManager workers, ClusterReader cluster, JobFeed feed, int payloadLimit, Clock clock) {
    static final String BASE = "/api/v1";

    /** The routes of all resources; a new resource is one line here. */
    public Router router() {
        JobAdmission admission = new JobAdmission(payloadLimit);
        List<Route> routes = Stream.of(
                        new JobsResource(jobs, admission).routes(),
                        new ManyJobsResource(jobs, admission).routes(),
                        new WatchResource(feed).routes(),
                        new WorkersResource(workers, clock).routes(),
                        new ClusterResource(cluster).routes(),
                        new HealthResource(cluster).routes())
                .flatMap(List::stream)
                .toList();
        return new Router(routes);
    }
}
