// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import java.time.Duration;
import java.util.Map;

/**
 * The bounds of the HTTP side, in one place. The JDK's server has none by default.
 *
 * <p>A connection that has sent a part of a request holds a thread until the request is complete, because the JDK's
 * server reads on the handlers' threads. So there are as many threads as connections ({@link #MAX_CONNECTIONS}); what
 * is bounded more tightly is how many complete requests are worked on.
 *
 * @param maxHandled how many requests are worked on at once
 * @param maxWaiting how many more may wait for their turn; beyond that a request is answered with 503
 * @param waitTime how long one may wait for its turn
 * @param requestTime how long work on one request may take
 * @param writeTime how long a client may take to read an answer; of a stream, how long one write may take
 * @param maxBody the most bytes of a request's body
 * @param maxBuffered the most bytes of request bodies that are in memory at once, over all requests
 * @param maxStreams how many streams may be open at once; beyond that a request for one is answered with 503
 */
public record HttpLimits(
        int maxHandled,
        int maxWaiting,
        Duration waitTime,
        Duration requestTime,
        Duration writeTime,
        int maxBody,
        int maxBuffered,
        int maxStreams) {
    /** Open connections, so as many streams as there may be, and as many others; beyond that, new ones are closed at once. */
    public static final int MAX_CONNECTIONS = 2048;

    /** How long a client may take to send a request, from its first byte on. */
    public static final Duration MAX_REQUEST_TIME = Duration.ofSeconds(10);

    /** How long a connection may be open without a request. */
    public static final Duration MAX_IDLE_TIME = Duration.ofSeconds(30);

    /** A record's other members, escapes, and the observed side of what people send back. */
    private static final int BODY_SLACK = 256 * 1024;

    private static final Map<String, String> PROPERTIES = Map.of(
            "jdk.httpserver.maxConnections", Integer.toString(MAX_CONNECTIONS),
            "sun.net.httpserver.maxIdleConnections", Integer.toString(MAX_CONNECTIONS),
            "sun.net.httpserver.maxReqTime", Long.toString(MAX_REQUEST_TIME.toSeconds()),
            "sun.net.httpserver.idleInterval", Long.toString(MAX_IDLE_TIME.toSeconds()),
            "sun.net.httpserver.maxReqHeaders", "100",
            "sun.net.httpserver.maxReqHeaderSize", Integer.toString(16 * 1024),
            "sun.net.httpserver.nodelay", "true");

    /** The limits of a server whose jobs have payloads of up to that many bytes. */
    public static HttpLimits forPayloads(int payloadLimit) {
        int base64 = (payloadLimit + 2) / 3 * 4;
        return new HttpLimits(
                64,
                256,
                Duration.ofSeconds(2),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                base64 + BODY_SLACK,
                64 * 1024 * 1024,
                1000);
    }

    /**
     * Sets the limits that the JDK's server takes from system properties. It reads them once, when its class loads, so
     * this comes before anything touches that class. What a host application has set stays; so do the values of a host
     * that has used the class already.
     *
     * <p>{@code maxRspTime} is left alone on purpose: it would also cut streams that are meant to stay open. {@link
     * #writeTime} bounds the other answers.
     */
    static void applyToPlatform() {
        PROPERTIES.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        });
    }
}
