// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolTest {
    private final TestFront server = new TestFront(TestFront.LIMITS);

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/nothing", "/vital/", "/VITAL", "/things/a", "/a//b", "/%76ital"})
    void unknownPathIsAProblemThatNamesTheKnownOnes(String path) throws Exception {
        HttpResponse<String> answer = server.get(path);

        assertEquals(404, answer.statusCode());
        assertProblem(answer, "not-found");
        assertTrue(answer.body().contains("/vital"), answer.body());
    }

    @Test
    void literalSegmentGoesBeforeAName() throws Exception {
        assertEquals("\"logs\"", server.get("/things/a/logs").body());
        assertEquals("\"stop\"", server.send("POST", "/things/a/stop", "").body());
        assertEquals("\"batch\"", server.send("POST", "/things:batch", "").body());
    }

    @ParameterizedTest
    @CsvSource({
        "DELETE, /vital,         'GET, HEAD, OPTIONS'",
        "POST,   /vital,         'GET, HEAD, OPTIONS'",
        "PATCH,  /size,          'OPTIONS, POST'",
        "HEAD,   /size,          'OPTIONS, POST'",
        "PUT,    /things/a/logs, 'GET, HEAD, OPTIONS, POST'"
    })
    void otherMethodIsRefusedWithThoseThereAre(String method, String path, String allow) throws Exception {
        HttpResponse<String> answer = server.send(method, path, "");

        assertEquals(405, answer.statusCode());
        assertEquals(allow, answer.headers().firstValue("Allow").orElse(""));
    }

    @Test
    void optionsSayWhichMethodsThereAre() throws Exception {
        HttpResponse<String> answer = server.send("OPTIONS", "/vital", "");

        assertEquals(204, answer.statusCode());
        assertEquals("GET, HEAD, OPTIONS", answer.headers().firstValue("Allow").orElse(""));
    }

    @Test
    void headIsAGetWithoutTheBody() throws Exception {
        HttpResponse<String> answer = server.send("HEAD", "/vital", "");

        assertEquals(200, answer.statusCode());
        assertEquals("2", answer.headers().firstValue("Content-Length").orElse(""));
        assertEquals("", answer.body());
    }

    @Test
    void unexpectedFailureShowsNothingOfTheInside() throws Exception {
        HttpResponse<String> answer = server.get("/broken");

        assertEquals(500, answer.statusCode());
        assertProblem(answer, "internal");
        assertFalse(answer.body().contains("secret"), answer.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"})
    void bodyThatABrowserSendsForAnyPageIsRefused(String type) throws Exception {
        HttpResponse<String> answer = server.send(server.request("POST", "/size", "{}")
                .setHeader("Content-Type", type)
                .build());

        assertEquals(415, answer.statusCode());
        assertProblem(answer, "unsupported-media-type");
        assertEquals(0, server.reached.get());
    }

    @Test
    void bodyMayNameItsCharacterSet() throws Exception {
        HttpResponse<String> answer = server.send(server.request("POST", "/size", "{}")
                .setHeader("Content-Type", "Application/JSON; charset=utf-8")
                .build());

        assertEquals(200, answer.statusCode());
    }

    @Test
    void requestThatEndsEarlyIsNotCarriedOut() throws Exception {
        String head = "POST /size HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
        try (RawClient fixed = server.raw();
                RawClient chunked = server.raw()) {
            fixed.send(head + "Content-Length: 3\r\n\r\n{}").endOfInput().readAll();
            chunked.send(head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n")
                    .endOfInput()
                    .readAll();
        }

        assertEquals(0, server.reached.get());
    }

    @Test
    void connectionIsKeptForTheNextRequest() throws Exception {
        String request = "GET /vital HTTP/1.1\r\nHost: x\r\n\r\n";
        String last = "GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        try (RawClient client = server.raw()) {
            String answers = client.send(request + request + last).readAll();

            assertEquals(3, answers.split("HTTP/1.1 ", -1).length - 1, answers);
        }
    }

    private static void assertProblem(HttpResponse<String> answer, String type) {
        assertEquals(
                "application/problem+json",
                answer.headers().firstValue("Content-Type").orElse(""));
        assertTrue(answer.body().startsWith("{\"type\":\"urn:headmast:" + type + "\",\"title\":\""), answer.body());
    }
}
