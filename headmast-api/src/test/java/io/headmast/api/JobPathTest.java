// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobPathTest {
    private static final Job JOB = Job.builder().id("chain-7").domain("eu").build();

    @Test
    void aPathIsAnIdOrADomainOrNothing() {
        assertEquals(JobPath.job("domain"), JobPath.parse("domain"));
        assertEquals(JobPath.domain("eu"), JobPath.parse("domain/eu"));
        assertEquals(JobPath.ALL, JobPath.parse(""));
    }

    @Test
    void whatIsWrittenIsReadBack() {
        for (JobPath path : List.of(JobPath.ALL, JobPath.job("a.b~"), JobPath.domain("a@b"))) {
            assertEquals(path, JobPath.parse(path.text()));
        }
    }

    @Test
    void onlyTheJobsOfThePathMatch() {
        assertTrue(JobPath.ALL.matches(JOB));
        assertTrue(JobPath.job("chain-7").matches(JOB));
        assertFalse(JobPath.job("chain-70").matches(JOB));
        assertTrue(JobPath.domain("eu").matches(JOB));
        assertFalse(JobPath.domain("e").matches(JOB));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "domain/", "domain/a/b", "domain/..", "..", "/", "a b", "id\u00e9"})
    void malformedPathsAreRefused(String text) {
        assertThrows(HeadmastException.Invalid.class, () -> JobPath.parse(text));
    }
}
