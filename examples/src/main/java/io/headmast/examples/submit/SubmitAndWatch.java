// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.submit;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Phase;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import io.headmast.client.JobWatch;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;

/**
 * Creates a job and tells what becomes of it until it has ended, without asking over and over. It is one for {@link
 * io.headmast.examples.embed.Host}, which goes on until it is killed.
 */
public final class SubmitAndWatch {
    private SubmitAndWatch() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws InterruptedException {
        Job job = Job.builder().domain("greetings").payload("Ada").build();
        try (HeadmastClient client = HeadmastClient.create(ClientOptions.fromEnvironment())) {
            System.out.println("job " + job.id());
            follow(client, job, System.out);
        } catch (HeadmastException e) {
            System.err.println(e.type() + ": " + e.detail());
            System.exit(1);
        }
    }

    /** Watches before it creates, so no change is missed; returns when the job has ended. */
    static void follow(HeadmastClient client, Job job, PrintStream out) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        JobWatch watch = client.watchJobPath(job.id(), (path, view, change) -> {
            Phase phase = view.state().phase();
            out.printf(
                    "%-8s %-10s %s%n",
                    change.wireName(), phase.wireName(), view.state().reason());
            if (phase == Phase.COMPLETED || phase == Phase.FAILED || phase == Phase.KILLED) {
                ended.countDown();
            }
        });
        try (watch) {
            client.createNewJob(job);
            ended.await();
        }
    }
}
