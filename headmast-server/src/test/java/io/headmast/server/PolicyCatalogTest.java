// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.core.policy.BalancePolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which policies a server finds on its class path, and what it says of those that can't be used. */
class PolicyCatalogTest {
    private static final String PREFIX = ProvidedPolicies.class.getName() + "$";

    @TempDir
    private Path directory;

    private PolicyCatalog offering(String... names) {
        List<String> lines = Stream.of(names)
                .map(name -> name.contains(".") ? name : PREFIX + name)
                .toList();
        return ProvidedPolicies.offering(directory, lines, PolicyCatalog::onClassPath);
    }

    private static String refusal(PolicyCatalog policies, String name) {
        var refusal = assertThrows(HeadmastException.Invalid.class, () -> policies.named(name));
        assertEquals(Optional.of("schedulePolicy"), refusal.field());
        return refusal.detail();
    }

    @Test
    void aProvidedPolicyIsFoundByItsName() {
        PolicyCatalog policies = offering("FirstById");
        assertInstanceOf(ProvidedPolicies.FirstById.class, policies.named("first-by-id"));
        assertEquals(List.of(), policies.warnings());
    }

    @Test
    void anUnknownNameIsRefusedWithAllThereAre() {
        assertEquals(
                "schedulePolicy must be one of roundbin, balance, first-by-id", refusal(offering("FirstById"), "up"));
        assertEquals("schedulePolicy must be one of roundbin, balance", refusal(offering(), "up"));
    }

    @Test
    void whatComesWithHeadmastGoesFirst() {
        PolicyCatalog policies = offering("AnotherBalance");
        assertInstanceOf(BalancePolicy.class, policies.named("balance"));
        assertEquals(
                List.of(PREFIX + "AnotherBalance: the name balance is taken by a policy of headmast"),
                policies.warnings());
    }

    @Test
    void twoOfOneNameAreRefusedIfTheyAreAskedForAndToldOtherwise() {
        PolicyCatalog policies = offering("FirstById", "AnotherFirstById");
        String both = PREFIX + "FirstById and " + PREFIX + "AnotherFirstById are all called first-by-id";
        assertEquals("schedulePolicy must be the name of one policy; " + both, refusal(policies, "first-by-id"));
        assertEquals(List.of(both), policies.warnings());
        assertEquals("roundbin", policies.named("roundbin").name());
    }

    @Test
    void oneThatCannotBeMadeSpoilsNoOther() {
        PolicyCatalog policies = offering(
                "NotConstructible", "com.example.Missing", "NotNamed", ProvidedPolicies.class.getName(), "FirstById");
        assertEquals("first-by-id", policies.named("first-by-id").name());
        assertEquals(4, policies.warnings().size(), policies.warnings()::toString);
        String refusal = refusal(policies, "mine");
        for (String part : new String[] {
            "must be one of roundbin, balance, first-by-id; what might be another can't be loaded: ",
            PREFIX + "NotConstructible could not be instantiated: java.lang.IllegalStateException: no licence",
            "Provider com.example.Missing not found",
            PREFIX + "NotNamed does not say what it is: java.lang.NoClassDefFoundError",
            "ProvidedPolicies not a subtype"
        }) {
            assertTrue(refusal.contains(part), refusal);
        }
    }

    @Test
    void aFileThatNamesNoClassesSpoilsNothing() {
        PolicyCatalog policies = offering("not a class.");
        assertEquals("balance", policies.named("balance").name());
        assertEquals(1, policies.warnings().size());
        assertTrue(policies.warnings().get(0).contains("META-INF/services"), policies.warnings()::toString);
    }
}
