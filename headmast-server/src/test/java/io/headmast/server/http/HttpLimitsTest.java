// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HttpLimitsTest {
    private static final String PROPERTY = "sun.net.httpserver.idleInterval";

    @Test
    void whatTheHostHasSetStays() {
        String before = System.getProperty(PROPERTY);
        System.setProperty(PROPERTY, "7");
        try {
            HttpLimits.applyToPlatform();

            assertEquals("7", System.getProperty(PROPERTY));
        } finally {
            if (before == null) {
                System.clearProperty(PROPERTY);
            } else {
                System.setProperty(PROPERTY, before);
            }
        }
    }

    @Test
    void responseTimeIsLeftToStreams() {
        HttpLimits.applyToPlatform();

        assertEquals(null, System.getProperty("sun.net.httpserver.maxRspTime"));
    }

    @Test
    void bodyLimitLeavesRoomForTheLargestPayload() {
        int payload = 512 * 1024;

        assertTrue(HttpLimits.forPayloads(payload).maxBody() > payload / 3 * 4 + 64 * 1024);
    }
}
