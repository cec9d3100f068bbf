// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.headmast.api.Job;
import io.headmast.api.JobQuery;
import io.headmast.api.JobStatus;
import io.headmast.api.Payload;
import io.headmast.api.json.Json;
import io.headmast.core.store.Op;
import io.headmast.core.testing.PoorWorker;
import io.headmast.core.testing.Samples;
import io.headmast.core.testing.TestCluster;
import io.headmast.core.testing.TestCluster.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** A value that can't be read, under each kind of key: it is reported once, and everything else goes on. */
final class CorruptValuesTest {
    private static final List<String> KEYS = List.of(
            "jobs/victim",
            "states/victim",
            "workers/w1",
            "workers/w1/jobs/victim",
            "workers/w1/killers/victim",
            "workers/nobody",
            "workers/nobody/jobs/victim",
            "cordons/w1",
            "servers/s1",
            "servers/other",
            "leader");
    private static final List<String> STRAY_KEYS = List.of("stray", "jobs/a/b", "workers/w1/offers/x", "jobs/", "x/y");
    private static final List<String> VALUES = List.of(
            "",
            "garbage",
            "null",
            "[]",
            "{}",
            "{\"id\":7}",
            "{\"id\":\"another\",\"state\":\"running\",\"worker\":\"another\",\"epoch\":1,\"mode\":\"cordon\","
                    + "\"targetState\":\"launched\",\"then\":\"killed\"}",
            "{\"id\":\"../..\",\"state\":\"unheard\",\"mode\":\"unheard\",\"targetState\":\"unheard\",\"then\":1}",
            "{\"id\":\"victim\",\"domain\":\"a/b\",\"weight\":-1,\"epoch\":1e99,\"since\":\"yesterday\"}",
            "\u0000\u0001\u00ff");

    private final TestCluster cluster = new TestCluster();
    private final ListAppender<ILoggingEvent> reports = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Fact.class);

    @BeforeEach
    void listen() {
        reports.start();
        logger.addAppender(reports);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(reports);
    }

    private long reportsOf(String key) {
        return reports.list.stream()
                .filter(event -> event.getFormattedMessage().contains("key=\"/headmast/" + key + "\""))
                .count();
    }

    static Stream<Arguments> corruptions() {
        List<Arguments> all = new ArrayList<>();
        KEYS.forEach(key -> VALUES.forEach(value -> all.add(Arguments.of(key, value))));
        return all.stream();
    }

    private TestServer server() {
        TestServer server = cluster.server("s1").start();
        cluster.settle();
        return server;
    }

    private PoorWorker worker(String id) {
        PoorWorker worker = cluster.worker(Samples.worker(id));
        cluster.settle();
        return worker;
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void everythingElseGoesOn(String key, String value) {
        TestServer server = server();
        worker("w1");
        worker("w2");
        cluster.submit(Samples.job("victim"), Samples.job("a"), Samples.job("b"));
        cluster.settle();
        long revision = cluster.revision();
        cluster.commit(Op.put("/headmast/" + key, Payload.of(value)));
        cluster.settle();
        cluster.submit(Samples.job("c"), Samples.job("d"));
        cluster.kill("a");
        cluster.settle();
        List<String> running = new ArrayList<>(cluster.runs().running());
        running.remove("victim");
        assertEquals(List.of("b", "c", "d"), running);
        assertTrue(cluster.revision() - revision < 50, "no storm of writes");
        assertTrue(server.store().txns() < 50, "no storm of transactions");
        JobQuery small = JobQuery.ALL.withLimit(1);
        var page = server.mirror().observer().page(small);
        for (int pages = 0; page.next().isPresent(); pages++) {
            assertTrue(pages < 10, "paging ends");
            page = server.mirror().observer().page(small.from(page.next().get()));
        }
    }

    @ParameterizedTest
    @MethodSource("corruptions")
    void serverThatStartsOnItWorks(String key, String value) {
        worker("w1");
        worker("w2");
        cluster.commit(Op.put("/headmast/" + key, Payload.of(value)));
        cluster.submit(Samples.job("a"), Samples.job("b"));
        server();
        assertEquals(List.of("a", "b"), List.copyOf(withoutVictim()));
    }

    private List<String> withoutVictim() {
        List<String> running = new ArrayList<>(cluster.runs().running());
        running.remove("victim");
        return running;
    }

    @Test
    void corruptValueIsReportedOncePerChangeAndStrayKeyToo() {
        server();
        List<String> all = new ArrayList<>(STRAY_KEYS);
        all.add("jobs/victim");
        for (String key : all) {
            cluster.commit(Op.put("/headmast/" + key, Payload.of("garbage")));
        }
        // Several resyncs and other changes later:
        for (int i = 0; i < 30; i++) {
            cluster.advance(Duration.ofMinutes(1));
            cluster.submit(Samples.job("j" + i));
        }
        all.forEach(key -> assertEquals(1, reportsOf(key), key));
        cluster.commit(Op.put("/headmast/jobs/victim", Payload.of("other garbage")));
        cluster.settle();
        assertEquals(2, reportsOf("jobs/victim"));
    }

    @Test
    void mendedValueIsUsedAgain() {
        server();
        worker("w1");
        cluster.commit(Op.put("/headmast/jobs/victim", Payload.of("garbage")));
        cluster.settle();
        cluster.submit(Samples.job("victim"));
        cluster.settle();
        assertEquals(List.of("victim"), cluster.runs().running());
    }

    @Test
    void recordUnderAnotherIdIsCorrupt() {
        TestServer server = server();
        worker("w1");
        Job other = Samples.job("other");
        cluster.commit(Op.put("/headmast/jobs/victim", Payload.wrap(other.marshalBinary())));
        cluster.settle();
        assertEquals(List.of(), cluster.runs().running());
        assertEquals(List.of(), server.mirror().observer().page(JobQuery.ALL).items());
        assertEquals(1, reportsOf("jobs/victim"));
    }

    @Test
    void registrationUnderAnotherIdTakesNoJob() {
        server();
        worker("w1");
        cluster.commit(Op.put(
                "/headmast/workers/w0", Payload.wrap(Samples.worker("another").marshalBinary())));
        cluster.submitMany("j", 5);
        cluster.settle();
        assertEquals(5, cluster.runs().runningOn("w1").size());
    }

    @Test
    void assignmentThatLostItsLeaseToAHandGetsItBack() {
        server();
        PoorWorker worker = worker("w1");
        cluster.submit(Samples.job("victim"));
        cluster.settle();
        cluster.commit(Op.put("/headmast/workers/w1/jobs/victim", Payload.of("garbage")));
        cluster.settle();
        assertEquals(
                worker.leaseId(),
                cluster.read("/headmast/workers/w1/jobs/victim").orElseThrow().lease());
        cluster.kill("victim");
        cluster.settle();
        assertEquals(List.of("w1"), cluster.names("/headmast/workers/"));
        assertEquals(JobStatus.KILLED, cluster.job("victim").orElseThrow().status());
        assertTrue(Json.write(cluster.state("victim").orElseThrow().toJson()).contains("killed"));
    }
}
