// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.headmast.server", importOptions = ImportOption.DoNotIncludeTests.class)
class ServerArchitectureTest {
    @ArchTest
    static final ArchRule OneClassChoosesTheStore = noClasses()
            .that()
            .doNotBelongToAnyOf(StoreCore.class)
            .and()
            .resideOutsideOfPackage("io.headmast.server.embedded..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.etcd..", "io.headmast.core.store.*..");

    @ArchTest
    static final ArchRule WhatAnswersRequestsSeesNoStore = noClasses()
            .that()
            .resideInAnyPackage("io.headmast.server.http..", "io.headmast.server.rest..", "io.headmast.server.daemon..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.headmast.core.store..");

    @ArchTest
    static final ArchRule OnlyTheProgramKnowsItsParserAndItsLogging = noClasses()
            .that()
            .resideOutsideOfPackage("io.headmast.server.daemon..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("picocli..", "ch.qos.logback..");

    @ArchTest
    static final ArchRule OnlyTheProgramEndsTheProcess =
            noClasses().that().doNotBelongToAnyOf(Main.class).should().callMethod(System.class, "exit", int.class);

    @ArchTest
    static final ArchRule OnlyHttpKnowsTheHttpServer = noClasses()
            .that()
            .resideOutsideOfPackage("io.headmast.server.http..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.sun.net.httpserver..");

    @ArchTest
    static final ArchRule HttpKnowsNothingOfWhatItServes = noClasses()
            .that()
            .resideInAPackage("io.headmast.server.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.headmast.core..", "io.headmast.server.rest..");

    @ArchTest
    static final ArchRule PackagesBelowFormNoCycles =
            slices().matching("io.headmast.server.(*)..").should().beFreeOfCycles();
}
