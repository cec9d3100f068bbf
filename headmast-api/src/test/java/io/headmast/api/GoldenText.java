// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import com.google.gson.JsonObject;
import io.headmast.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The golden files: one JSON document in one line each. */
final class GoldenText {
    private GoldenText() {}

    /** The document without the line's end. */
    static String read(String name) {
        try (InputStream in = GoldenText.class.getResourceAsStream("/golden/" + name + ".json")) {
            String text = new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
            return text.substring(0, text.length() - 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonObject json(String name) {
        return Json.parseObject(read(name).getBytes(StandardCharsets.UTF_8));
    }
}
