// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.docs;

import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobSelector;
import io.headmast.api.JobView;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import io.headmast.client.JobWatch;
import java.util.ArrayList;
import java.util.List;

/** What the SDK is called for most. */
final class SdkCalls {
    private SdkCalls() {}

    static List<JobOutcome> call(List<Job> tenThousandJobs) {
        List<JobOutcome> outcomes = new ArrayList<>();
        try (HeadmastClient client = HeadmastClient.create(ClientOptions.of("http://127.0.0.1:4430"))) {
            client.createNewJob(Job.builder()
                    .id("hi-1")
                    .domain("greetings")
                    .payload("hello")
                    .build());
            for (JobView view : client.getJobsWithDomain("greetings")) {
                System.out.println(view.job().id() + " " + view.state().phase() + " "
                        + view.state().reason());
            }
            client.controlJob("hi-1", "kill");
            client.deleteJob("hi-1");

            // Every change of a domain from now on, once and in order, whatever becomes of the servers.
            JobWatch watch = client.watchJobPath(
                    "domain/greetings",
                    (path, view, change) ->
                            System.out.println(change + " " + view.job().id()));

            // One outcome for each, in order.
            List<JobOutcome> created = client.createNewJobs(tenThousandJobs);
            List<JobOutcome> killed = client.controlJobs(JobSelector.NONE.withDomain("greetings"), JobAction.KILL);
            outcomes.addAll(created);
            outcomes.addAll(killed);
            watch.close();
        }
        return outcomes;
    }
}
