// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.submit;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobQuery;
import io.headmast.api.JobView;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import java.io.PrintStream;
import java.util.Map;

/**
 * Submits three rule chains and lists them. Start a server first; without a worker for the domain {@code chains} the
 * jobs are pending and say why. Run it twice: creating a job that is there already does no harm.
 *
 * <p>The servers come from {@code HEADMAST_SERVER}, or are at their default port on this machine.
 */
public final class SubmitAndList {
    private static final String DOMAIN = "chains";
    private static final Map<String, String> LABELS = Map.of("example", "submit-and-list");

    private SubmitAndList() {}

    /** Takes no arguments. */
    public static void main(String[] args) {
        try (HeadmastClient client = HeadmastClient.create(ClientOptions.fromEnvironment())) {
            submit(client);
            list(client, System.out);
        } catch (HeadmastException e) {
            System.err.println(e.type() + ": " + e.detail());
            System.exit(1);
        }
    }

    static void submit(HeadmastClient client) {
        for (int celsius = 10; celsius <= 30; celsius += 10) {
            client.createNewJob(Job.builder()
                    .id("fahrenheit-" + celsius)
                    .domain(DOMAIN)
                    .labels(LABELS)
                    .payload("{\"source\":{\"every\":\"1s\",\"value\":" + celsius + "},\"rules\":["
                            + "{\"type\":\"scale\",\"by\":1.8},{\"type\":\"offset\",\"by\":32},{\"type\":\"log\"}]}")
                    .build());
        }
    }

    static void list(HeadmastClient client, PrintStream out) {
        for (JobView view : client.getJobs(JobQuery.ALL.withDomain(DOMAIN).withLabels(LABELS))) {
            out.printf(
                    "%-16s %-10s %-24s %s%n",
                    view.job().id(),
                    view.state().phase().wireName(),
                    view.state().worker().orElse("-"),
                    view.state().reason());
        }
    }
}
