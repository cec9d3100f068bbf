// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
import io.headmast.api.Job;
import io.headmast.api.Phase;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import java.time.Duration;

/** Creates a job, and ends once it has seen it running and then completed. Argument: the server's address. */
public final class Submitter {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Submitter() {}

    public static void main(String[] args) throws InterruptedException {
        try (HeadmastClient client = HeadmastClient.create(ClientOptions.of(args[0]))) {
            Job job = Job.builder().domain("greetings").payload("Ada").build();
            client.createNewJob(job);
            await(client, job.id(), Phase.RUNNING);
            await(client, job.id(), Phase.COMPLETED);
        }
    }

    private static void await(HeadmastClient client, String id, Phase phase) throws InterruptedException {
        long start = System.nanoTime();
        while (client.getJob(id).orElseThrow().state().phase() != phase) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("not " + phase.wireName() + " within " + LIMIT + ": "
                        + client.getJob(id));
            }
            Thread.sleep(PAUSE.toMillis());
        }
        System.out.println(phase.wireName());
    }
}
