// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
import io.headmast.api.Job;
import io.headmast.api.Phase;
import io.headmast.client.ClientOptions;
import io.headmast.client.HeadmastClient;
import io.headmast.client.JobWatch;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Creates a job, and ends once it was told that it runs and then that it has completed. Argument: the server's address. */
public final class Submitter {
    private static final long LIMIT_SECONDS = 30;

    private Submitter() {}

    public static void main(String[] args) throws InterruptedException {
        Job job = Job.builder().domain("greetings").payload("Ada").build();
        CountDownLatch completed = new CountDownLatch(1);
        try (HeadmastClient client = HeadmastClient.create(ClientOptions.of(args[0]));
                JobWatch watch = client.watchJobPath(job.id(), (path, view, change) -> {
                    Phase phase = view.state().phase();
                    if (phase == Phase.RUNNING || phase == Phase.COMPLETED) {
                        System.out.println(phase.wireName());
                    }
                    if (phase == Phase.COMPLETED) {
                        completed.countDown();
                    }
                })) {
            client.createNewJob(job);
            if (!completed.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("told nothing of its end up to revision " + watch.revision() + ": "
                        + client.getJob(job.id()));
            }
        }
    }
}
