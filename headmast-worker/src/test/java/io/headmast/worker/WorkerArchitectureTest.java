// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What a host application does not inherit from the worker that it embeds. */
@AnalyzeClasses(packages = "io.headmast.worker", importOptions = ImportOption.DoNotIncludeTests.class)
final class WorkerArchitectureTest {
    @ArchTest
    static final ArchRule onlyTheProgramKnowsItsParser = noClasses()
            .that()
            .resideOutsideOfPackage("..worker.daemon..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule theProgramIsNotKnownToTheWorker = noClasses()
            .that()
            .resideOutsideOfPackage("..worker.daemon..")
            .and()
            .doNotBelongToAnyOf(Main.class)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..worker.daemon..");

    @ArchTest
    static final ArchRule nobodyChoosesTheLoggingBackend =
            noClasses().should().dependOnClassesThat().resideInAPackage("ch.qos.logback..");

    @ArchTest
    static final ArchRule oneClassChoosesTheStore = noClasses()
            .that()
            .doNotBelongToAnyOf(HeadmastWorker.class)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..core.store.etcd..", "..core.store.memory..", "io.etcd..");

    @ArchTest
    static final ArchRule onlyTheProgramEndsTheProcess =
            noClasses().that().doNotBelongToAnyOf(Main.class).should().callMethod(System.class, "exit", int.class);
}
