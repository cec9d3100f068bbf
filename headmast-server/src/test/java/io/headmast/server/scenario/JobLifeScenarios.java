// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobView;
import io.headmast.api.Phase;
import io.headmast.api.RestartPolicy;
import io.headmast.api.RunState;
import io.headmast.api.json.Json;
import io.headmast.client.HeadmastClient;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValueStore;
import io.headmast.core.store.RangeRequest;
import io.headmast.core.testing.Await;
import io.headmast.server.HeadmastService;
import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.JobContext;
import io.headmast.worker.LifecycleHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How jobs end, run once more and go away, through REST, SDK and an embedded worker. What a job does is its payload:
 * {@code completes}, {@code fails}, or it runs on.
 */
abstract class JobLifeScenarios {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String LIFE = "life";
    private static final String BLOCKING = "blocking";

    private InProcessCluster cluster;
    private HeadmastService server;
    private HeadmastClient client;

    /** A connection of its own to the one store of a test. */
    abstract KeyValueStore connect();

    /** Called when nothing uses the store any more. */
    void closeStore() {}

    @BeforeEach
    void aServerAndAWorker() {
        cluster = new InProcessCluster(this::connect);
        server = cluster.server("s1", "roundbin");
        client = cluster.client(server);
        cluster.worker("w1", JobLifeScenarios::handlers);
    }

    @AfterEach
    void close() {
        cluster.close();
        closeStore();
    }

    private static void handlers(HeadmastWorker.Builder worker) {
        worker.handler(LIFE, new LifecycleHandler() {
            @Override
            public void start(JobContext context) {
                switch (context.job().payload().toText()) {
                    case "completes" -> context.complete();
                    case "fails" -> context.fail("broken");
                    default -> {}
                }
            }

            @Override
            public void stop(JobContext context) {}
        });
        worker.handler(BLOCKING, context -> {
            while (!context.awaitCancellation(Duration.ofMinutes(1))) {
                context.progress("goes on");
            }
        });
    }

    private static Job.Builder job(String payload) {
        return Job.builder().id("j").domain(LIFE).payload(payload);
    }

    private static RestartPolicy restart(RestartPolicy.When when, int maxAttempts) {
        return new RestartPolicy(when, Duration.ofMillis(10), Duration.ofMillis(40), maxAttempts);
    }

    private RunState await(String what, Predicate<RunState> like) {
        Await.until(
                what,
                LIMIT,
                () -> client.getJob("j"),
                () -> client.getJob("j").filter(view -> like.test(view.state())).isPresent());
        return client.getJob("j").orElseThrow().state();
    }

    private RunState await(Phase phase) {
        return await(phase.wireName(), state -> state.phase() == phase);
    }

    private JobView put(Job job, long ifRevision, int status) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.address() + "/api/v1/jobs/" + job.id()))
                .header("Content-Type", "application/json")
                .header("If-Match", "\"" + ifRevision + "\"")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(job.marshalBinary()))
                .build();
        HttpResponse<byte[]> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
        assertEquals(status, answer.statusCode());
        return status == 200 ? JobView.fromJson(Json.parseObject(answer.body())) : shown();
    }

    private JobView put(Job job) throws Exception {
        return put(job, shown().revision(), 200);
    }

    private JobView shown() {
        return client.getJob("j").orElseThrow();
    }

    private List<String> keysOfTheJob() {
        try (KeyValueStore store = connect()) {
            return Await.value(store.range(RangeRequest.of(KeyRange.prefix(cluster.prefix))), LIMIT).items().stream()
                    .map(item -> item.key())
                    .filter(key -> key.endsWith("/j"))
                    .toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"completes", "fails"})
    void finishedJobIsGoneWhenItsTimeIsOver(String payload) {
        client.createNewJob(job(payload)
                .restart(restart(RestartPolicy.When.NEVER, 0))
                .retainFor(Duration.ofMillis(300))
                .build());

        Await.until("it is gone", LIMIT, () -> client.getJob("j").isEmpty());
        assertEquals(List.of(), keysOfTheJob());
    }

    @Test
    void changedTimeCountsAtOnceAndNothingElseTakesAJobAway() throws Exception {
        client.createNewJob(job("completes").retainFor(Duration.ofDays(1)).build());
        await(Phase.COMPLETED);
        client.controlJob("j", JobAction.KILL);
        put(shown().job().toBuilder().retainFor(Duration.ZERO).build());
        assertEquals(Phase.KILLED, shown().state().phase(), "a killed job has not finished");

        client.controlJob("j", JobAction.ALIVE);

        Await.until(
                "it ran once more, and is gone", LIMIT, () -> client.getJob("j").isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {LIFE, BLOCKING})
    void runThatTakesTooLongIsEndedAndHasFailed(String domain) {
        client.createNewJob(job("runs")
                .domain(domain)
                .maxRunTime(Duration.ofMillis(200))
                .restart(restart(RestartPolicy.When.ON_FAILURE, 2))
                .build());

        RunState failed = await(Phase.FAILED);

        assertEquals("ran longer than maxRunTime 200ms", failed.reason());
        assertEquals(2, failed.attempt(), "the restart policy is asked");
    }

    @Test
    void changedRunTimeCountsFromTheNextAttemptOn() throws Exception {
        client.createNewJob(job("runs")
                .maxRunTime(Duration.ofDays(1))
                .restart(restart(RestartPolicy.When.NEVER, 0))
                .build());
        RunState running = await(Phase.RUNNING);

        put(shown().job().toBuilder().maxRunTime(Duration.ofMillis(1)).build());
        assertEquals(running, shown().state(), "the running one is not disturbed");
        client.controlJob("j", JobAction.RESTART);

        assertEquals(2, await(Phase.FAILED).generation());
    }

    @ParameterizedTest
    @EnumSource(names = {"ALIVE", "START", "RESTART"})
    void endingHoldsForItsGenerationOnly(JobAction order) {
        client.createNewJob(job("completes").build());
        assertEquals(1, await(Phase.COMPLETED).generation());

        assertEquals(2, client.controlJob("j", order).job().generation());

        RunState again =
                await("it ran once more", state -> state.phase() == Phase.COMPLETED && state.generation() == 2);
        assertEquals(1, again.attempt());
    }

    @Test
    void attemptsAreLimitedAndARestartBeginsThemAnew() {
        client.createNewJob(
                job("fails").restart(restart(RestartPolicy.When.ON_FAILURE, 3)).build());
        RunState failed = await(Phase.FAILED);
        assertEquals(3, failed.attempt());
        assertEquals("broken", failed.reason());

        client.controlJob("j", JobAction.RESTART);

        RunState again =
                await("it failed once more", state -> state.phase() == Phase.FAILED && state.generation() == 2);
        assertEquals(3, again.attempt());
    }

    @Test
    void policyAlwaysRunsWhatCompletedAgain() {
        client.createNewJob(
                job("completes").restart(restart(RestartPolicy.When.ALWAYS, 4)).build());

        assertEquals(4, await(Phase.COMPLETED).attempt());
    }

    @Test
    void onlyPayloadAndDomainAreWorthANewGeneration() throws Exception {
        client.createNewJob(job("runs").build());
        RunState running = await(Phase.RUNNING);

        JobView changed = put(shown().job().toBuilder()
                .labels(Map.of("team", "a"))
                .weight(3)
                .retainFor(Duration.ofHours(1))
                .restart(restart(RestartPolicy.When.NEVER, 1))
                .build());
        assertEquals(1, changed.job().generation());
        put(job("runs on").build(), changed.revision() - 1, 412);
        assertEquals(running, shown().state(), "nothing is disturbed");

        assertEquals(2, put(job("runs on").build()).job().generation());
        RunState next = await("the next generation runs", state -> state.generation() == 2 && isRunning(state));
        assertTrue(next.epoch() > running.epoch());
        assertEquals(3, put(job("runs on").domain(BLOCKING).build()).job().generation());
        await("the one after that runs", state -> state.generation() == 3 && isRunning(state));
    }

    @Test
    void restartGoesBackToWhereTheJobRan() {
        client.createNewJob(job("runs").build());
        RunState running = await(Phase.RUNNING);
        cluster.worker("w2", JobLifeScenarios::handlers);
        for (int generation = 2; generation < 5; generation++) {
            int wanted = generation;
            client.controlJob("j", JobAction.RESTART);
            RunState again = await("restarted", state -> state.generation() == wanted && isRunning(state));
            assertEquals(running.worker(), again.worker());
        }
        client.cordonWorker("w1", "to see it leave");
        client.controlJob("j", JobAction.RESTART);

        assertEquals(
                Optional.of("w2"),
                await("restarted elsewhere", state -> state.generation() == 5 && isRunning(state))
                        .worker());
    }

    private static boolean isRunning(RunState state) {
        return state.phase() == Phase.RUNNING;
    }
}
