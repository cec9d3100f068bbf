// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DistributionTest {
    @Test
    void percentilesAreMeasuredValues() {
        Distribution distribution = new Distribution();
        for (int i = 20; i >= 1; i--) {
            distribution.add(Duration.ofMillis(i));
        }
        assertEquals(Duration.ofMillis(1), distribution.percentile(0));
        assertEquals(Duration.ofMillis(10), distribution.percentile(50));
        assertEquals(Duration.ofMillis(19), distribution.percentile(95));
        assertEquals(Duration.ofMillis(20), distribution.percentile(100));
        assertEquals("n 20, min 1 ms, median 10 ms, p95 19 ms, max 20 ms", distribution.toString());
    }
}
