// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import com.sun.net.httpserver.HttpExchange;
import io.headmast.client.ScriptedServer.Reply;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replies of a server that is watched, whose history has one change at each of the revisions 11 to 15. */
final class WatchingServer {
    static final int FIRST = 10;
    static final int LAST = 15;

    private static final Pattern REVISION = Pattern.compile("[?&]revision=(\\d+)");

    private WatchingServer() {}

    static String progress(long revision) {
        return "event: progress\nid: " + revision + "\ndata: {\"revision\":" + revision + "}\n\n";
    }

    /** One change of the job whose name is the revision. */
    static String changes(long revision) {
        return "id: " + revision + "\nevent: changes\n" + change(revision) + "\n\n";
    }

    static String change(long revision) {
        return "data: {\"change\":\"updated\",\"job\":{\"id\":\"j" + revision + "\",\"revision\":" + revision
                + ",\"state\":{\"state\":\"pending\"}}}";
    }

    static String end(String type, int status) {
        return "event: end\nretry: 1000\ndata: {\"type\":\"urn:headmast:" + type + "\",\"status\":" + status
                + ",\"detail\":\"the detail\"}\n\n";
    }

    /** All that a watch from that revision is told. */
    static String history(long after) {
        StringBuilder events = new StringBuilder(progress(after));
        for (long revision = after + 1; revision <= LAST; revision++) {
            events.append(changes(revision));
        }
        return events.toString();
    }

    /** The history from where it is asked for, cut off after so many bytes. */
    static Reply cutAfter(int bytes) {
        return (exchange, closed) -> {
            byte[] all = history(asked(exchange)).getBytes(StandardCharsets.UTF_8);
            begin(exchange).write(Arrays.copyOf(all, Math.min(bytes, all.length)));
            exchange.close();
        };
    }

    /** The history from where it is asked for, and silence. */
    static Reply open() {
        return (exchange, closed) -> {
            OutputStream out = begin(exchange);
            out.write(history(asked(exchange)).getBytes(StandardCharsets.UTF_8));
            out.flush();
            closed.await();
        };
    }

    /** These events, and silence. */
    static Reply events(String... events) {
        return (exchange, closed) -> {
            write(exchange, events);
            closed.await();
        };
    }

    /** These events, and the end of the connection. */
    static Reply eventsAndEnd(String... events) {
        return (exchange, closed) -> {
            write(exchange, events);
            exchange.close();
        };
    }

    /** These events, and further ones once the latch is open. */
    static Reply eventsAndThen(CountDownLatch go, String events, String more) {
        return (exchange, closed) -> {
            OutputStream out = write(exchange, events);
            go.await();
            out.write(more.getBytes(StandardCharsets.UTF_8));
            out.flush();
            closed.await();
        };
    }

    private static OutputStream write(HttpExchange exchange, String... events) throws IOException {
        OutputStream out = begin(exchange);
        for (String event : events) {
            out.write(event.getBytes(StandardCharsets.UTF_8));
        }
        out.flush();
        return out;
    }

    private static OutputStream begin(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream; charset=utf-8");
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    private static long asked(HttpExchange exchange) {
        Matcher revision = REVISION.matcher(exchange.getRequestURI().toString());
        return revision.find() ? Long.parseLong(revision.group(1)) : FIRST;
    }
}
