// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.Serializable;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;

/** The rules of docs/architecture.md that can be checked. */
@AnalyzeClasses(packages = "io.headmast.core", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final String[] PURE = {"..core.policy..", "..core.plan..", "..core.agent.."};

    @ArchTest
    static final ArchRule onlyTheAdapterKnowsJetcd = noClasses()
            .that()
            .resideOutsideOfPackage("..core.store.etcd..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.etcd..", "io.grpc..", "io.vertx..", "io.netty..", "com.google.protobuf..")
            .because("etcd is reached through the store port alone");

    @ArchTest
    static final ArchRule onlyTheEngineAndTheAdapterAreBehindThePort = noClasses()
            .that()
            .resideOutsideOfPackages("..core.store.etcd..", "..core.store.memory..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..core.store.etcd..", "..core.store.memory..")
            .because("whoever starts headmast chooses the store, the rest sees the port");

    @ArchTest
    static final ArchRule decisionsDoNoWork = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat(resideInAnyPackage(
                            "org.slf4j..",
                            "java.io..",
                            "java.nio.file..",
                            "java.nio.channels..",
                            "java.net..",
                            "java.util.logging..",
                            "io.headmast.core.store..")
                    .and(not(equivalentTo(Serializable.class))))
            .because("they are given facts and return plans")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule decisionsStartNoThreads = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Executor.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Thread.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Timer.class)
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.util\\.concurrent\\.(CompletableFuture|CompletionStage|Future|Executors)")
            .because("one thread calls them, and waits for nothing")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule decisionsReadNoClock = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class)
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .because("time comes in as data")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule decisionsAreNotRandom = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .areAssignableTo(Random.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(ThreadLocalRandom.class)
            .orShould()
            .callMethod(UUID.class, "randomUUID")
            .orShould()
            .callMethod(Math.class, "random")
            .because("the same facts give the same plan")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packagesFormNoCycles =
            slices().matching("io.headmast.core.(*)..").should().beFreeOfCycles();
}
