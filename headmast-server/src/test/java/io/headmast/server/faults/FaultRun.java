// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.core.testing.Await;
import io.headmast.server.faults.check.Checker;
import io.headmast.server.faults.check.Evidence;
import io.headmast.server.faults.check.Inconclusive;
import io.headmast.server.faults.check.Operation.Kind;
import io.headmast.server.faults.kind.Members;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One run: a cluster under load meets the faults of a plan; they end, it comes to rest, and everything that was written
 * down of it is checked.
 */
final class FaultRun {
    private static final Duration READ_LIMIT = Duration.ofSeconds(60);

    private final Settings settings;
    private final Path directory;

    /**
     * @param restWithin when clients and faults are done, everything must be as it should within this
     * @param workers main classes of workers that aren't as they should be
     */
    record Settings(long seed, FaultPlan plan, Duration restWithin, Map<String, Class<?>> workers) {
        /** A TTL to lapse in, and all the time that a busy machine may need to start processes again. */
        static final Duration REST_LIMIT = Duration.ofSeconds(60);

        static Settings of(long seed, FaultPlan plan) {
            return new Settings(seed, plan, REST_LIMIT, Map.of());
        }
    }

    FaultRun(Settings settings, Path directory) {
        this.settings = settings;
        this.directory = directory;
    }

    /** @param etcd fresh; closed with the run */
    RunReport run(Members etcd) {
        try (Scene scene = new Scene(directory, etcd, settings.workers());
                OperationLog log = new OperationLog(directory.resolve("operations.jsonl"))) {
            scene.start();
            Injector injector = new Injector(scene.stage, new Random(settings.seed()));
            long begun = System.nanoTime();
            try (Load load = new Load(settings.seed(), () -> new LoadClient(log, scene.servers()))) {
                load.start();
                injector.run(settings.plan());
                awaitEnd(begun + settings.plan().length().toNanos());
            }
            Duration rest = awaitRest(scene);
            readEverything(scene, log);
            return judge(scene, log, injector, rest);
        }
    }

    private static void awaitEnd(long at) {
        for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
        }
    }

    /** How long it took; what isn't at rest within the limit is found by the checker. */
    private Duration awaitRest(Scene scene) {
        long begun = System.nanoTime();
        long limit = begun + settings.restWithin().toNanos();
        while (System.nanoTime() < limit && !isAtRest(scene)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static boolean isAtRest(Scene scene) {
        Evidence now = Witness.evidence(
                scene.cluster, new StoreRecorder.Whole(scene.recorder.history(), List.of()), List.of());
        return Checker.unrest(now).isEmpty();
    }

    /** What clients are told at the end belongs to the history, too. */
    private static void readEverything(Scene scene, OperationLog log) {
        try (LoadClient client = new LoadClient(log, scene.servers())) {
            List<CompletableFuture<Void>> reads = new ArrayList<>();
            for (int server = 0; server < client.servers(); server++) {
                int one = server;
                reads.add(CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < Load.JOBS; i++) {
                        client.call(one, Kind.READ, Load.job(i));
                    }
                }));
            }
            reads.forEach(read -> Await.value(read, READ_LIMIT));
        }
    }

    private RunReport judge(Scene scene, OperationLog log, Injector injector, Duration rest) {
        RunReport.Builder report = new RunReport.Builder(settings.seed(), rest);
        try {
            StoreRecorder.Whole whole = scene.recorder.finish();
            whole.write(directory.resolve("store.log"));
            Evidence evidence = Witness.evidence(scene.cluster, whole, log.lines());
            report.counts(evidence).recorderBreaks(scene.recorder.breaks());
            for (Injector.Injected injected : injector.injected()) {
                SeenAfter after =
                        new SeenAfter(scene.keys(), whole.history(), log.lines(), injected.from(), injected.to());
                report.fault(injected, injected.trouble().bit(after), after.acknowledged());
            }
            injector.skipped().forEach(report::skipped);
            Checker.Verdict verdict = Checker.judge(evidence);
            verdict.violations().forEach(report::violation);
            verdict.undecided().stream().findFirst().ifPresent(report::inconclusive);
        } catch (Inconclusive e) {
            report.inconclusive(e.getMessage());
        }
        return report.build();
    }
}
