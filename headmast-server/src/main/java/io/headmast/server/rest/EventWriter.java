// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import com.google.gson.JsonElement;
import io.headmast.api.json.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * Writes the fields of server-sent events (as the HTML standard defines them). An event that is not {@link #send sent}
 * is none: readers drop what is incomplete.
 */
final class EventWriter {
    private final Writer out;

    EventWriter(OutputStream out) {
        // The buffer keeps a long text from being copied as a whole on its way.
        this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    }

    /** What the reader names when it connects again. */
    void id(long id) throws IOException {
        field("id", Long.toString(id));
    }

    void type(String type) throws IOException {
        field("event", type);
    }

    /** How long the reader should wait before it connects again. */
    void retry(long millis) throws IOException {
        field("retry", Long.toString(millis));
    }

    /** One line of data; an event may have any number. */
    void data(JsonElement value) throws IOException {
        out.write("data: ");
        Json.write(value, out);
        out.write('\n');
    }

    /** A line that readers skip, also in an event; sent at once, with what was written so far. */
    void comment() throws IOException {
        out.write(":\n");
        out.flush();
    }

    /** Ends the event, and sends it. */
    void send() throws IOException {
        out.write('\n');
        out.flush();
    }

    private void field(String name, String value) throws IOException {
        out.write(name);
        out.write(": ");
        out.write(value);
        out.write('\n');
    }
}
