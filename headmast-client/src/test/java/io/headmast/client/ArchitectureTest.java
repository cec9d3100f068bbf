// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.headmast.client", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule THE_SDK_NEEDS_THE_API_AND_LITTLE_ELSE = classes()
            .that()
            .resideOutsideOfPackage("io.headmast.client.cli..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.headmast.client",
                    "io.headmast.api..",
                    "java..",
                    "javax.net.ssl..",
                    "com.google.gson..",
                    "org.slf4j..",
                    "org.jspecify.annotations..");

    @ArchTest
    static final ArchRule PICOCLI_IS_THE_COMMAND_LINES = noClasses()
            .that()
            .resideOutsideOfPackage("io.headmast.client.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule GSONS_INSIDES_ARE_ITS_OWN =
            noClasses().should().dependOnClassesThat().resideInAPackage("com.google.gson.internal..");
}
