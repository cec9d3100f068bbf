// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api.json;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import com.google.gson.stream.MalformedJsonException;
import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Strict JSON: RFC 8259 and nothing beyond it. Duplicate names, NaN, infinities, malformed UTF-8, lone surrogates,
 * trailing text and nesting deeper than {@value #MAX_DEPTH} are refused. Numbers keep their text, so 64-bit integers
 * survive.
 */
public final class Json {
    /** How deep arrays and objects may nest. */
    public static final int MAX_DEPTH = 64;

    private static final int MAX_MESSAGE = 200;
    private static final String GSON_HINT = "Use JsonReader.setStrictness(Strictness.LENIENT) to accept malformed JSON";

    private static final int MAX_QUOTED = 300;

    private static final TypeAdapter<JsonElement> ELEMENTS = new Gson().getAdapter(JsonElement.class);

    private Json() {}

    /** @throws HeadmastException.Invalid if {@code bytes} are not one JSON value in UTF-8 */
    public static JsonElement parse(byte[] bytes) {
        try {
            return parse(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new HeadmastException.Invalid("", "not JSON: malformed UTF-8");
        }
    }

    /** @throws HeadmastException.Invalid if {@code text} is not one JSON value */
    public static JsonElement parse(String text) {
        try (JsonReader reader = new JsonReader(new StringReader(text))) {
            reader.setStrictness(Strictness.STRICT);
            reader.setNestingLimit(MAX_DEPTH);
            JsonElement value = read(reader);
            requireEnd(reader);
            return value;
        } catch (IOException | IllegalStateException | NumberFormatException e) {
            throw malformed(e);
        }
    }

    /** @throws HeadmastException.Invalid if {@code bytes} are not a JSON object */
    public static JsonObject parseObject(byte[] bytes) {
        JsonElement value = parse(bytes);
        if (!value.isJsonObject()) {
            throw new HeadmastException.Invalid("", "must be a JSON object");
        }
        return value.getAsJsonObject();
    }

    /**
     * Reads an array element by element, so that it is never in memory as a whole.
     *
     * @param element is given each one; some may have been given before the array turns out to be malformed
     * @throws HeadmastException.Invalid if {@code bytes} are not a JSON array in UTF-8
     */
    public static void parseArray(byte[] bytes, Consumer<JsonElement> element) {
        try (JsonReader reader = new JsonReader(
                new InputStreamReader(new ByteArrayInputStream(bytes), StandardCharsets.UTF_8.newDecoder()))) {
            reader.setStrictness(Strictness.STRICT);
            reader.setNestingLimit(MAX_DEPTH + 1);
            Optional<JsonElement> next = firstElement(reader);
            while (next.isPresent()) {
                element.accept(next.get());
                next = nextElement(reader);
            }
        } catch (IOException e) {
            throw malformed(e);
        }
    }

    /** One line, without spaces; members in insertion order. */
    public static String write(JsonElement value) {
        return value.toString();
    }

    /** The same, written piece by piece; {@code out} is neither flushed nor closed. */
    @SuppressWarnings("resource") // Its close would close out.
    public static void write(JsonElement value, Writer out) throws IOException {
        JsonWriter writer = new JsonWriter(out);
        // As the text above is made: a value that strict JSON has no form for is its maker's fault, and not found here.
        writer.setStrictness(Strictness.LENIENT);
        ELEMENTS.write(writer, value);
    }

    /** A text from a user as one quoted, escaped and shortened word, for a log line. */
    public static String quote(String text) {
        String some = text.length() <= MAX_QUOTED ? text : text.substring(0, MAX_QUOTED) + "…";
        return new JsonPrimitive(some).toString();
    }

    /**
     * The same as the value of a key.
     *
     * @throws HeadmastException.Invalid if a text in it has no form in UTF-8 (a lone surrogate)
     */
    public static Payload toPayload(JsonElement value) {
        String text = write(value);
        if (hasLoneSurrogate(text)) {
            throw new HeadmastException.Invalid("", "no JSON in UTF-8: half of a surrogate pair stands alone");
        }
        return Payload.of(text);
    }

    private static Optional<JsonElement> firstElement(JsonReader reader) throws IOException {
        if (reader.peek() != JsonToken.BEGIN_ARRAY) {
            throw new HeadmastException.Invalid("", "must be a JSON array");
        }
        reader.beginArray();
        return nextElement(reader);
    }

    /** Empty at the end of the array, when nothing follows it. */
    private static Optional<JsonElement> nextElement(JsonReader reader) throws IOException {
        try {
            if (reader.hasNext()) {
                return Optional.of(read(reader));
            }
            reader.endArray();
            requireEnd(reader);
            return Optional.empty();
        } catch (IllegalStateException | NumberFormatException e) {
            throw malformed(e);
        }
    }

    private static void requireEnd(JsonReader reader) throws IOException {
        if (reader.peek() != JsonToken.END_DOCUMENT) {
            throw new HeadmastException.Invalid("", "not JSON: there is more text after the value");
        }
    }

    private static HeadmastException.Invalid malformed(Exception e) {
        if (e instanceof EOFException) {
            return new HeadmastException.Invalid("", "not JSON: it ends in the middle");
        }
        return e instanceof CharacterCodingException
                ? new HeadmastException.Invalid("", "not JSON: malformed UTF-8")
                : new HeadmastException.Invalid("", "not JSON: " + brief(e));
    }

    private static JsonElement read(JsonReader reader) throws IOException {
        return switch (reader.peek()) {
            case BEGIN_OBJECT -> readObject(reader);
            case BEGIN_ARRAY -> readArray(reader);
            case STRING -> new JsonPrimitive(wellFormed(reader.nextString()));
            case NUMBER -> new JsonPrimitive(new NumberText(reader.nextString()));
            case BOOLEAN -> new JsonPrimitive(reader.nextBoolean());
            case NULL -> {
                reader.nextNull();
                yield JsonNull.INSTANCE;
            }
            case NAME, END_ARRAY, END_OBJECT, END_DOCUMENT -> throw new MalformedJsonException("a value is missing");
        };
    }

    private static JsonObject readObject(JsonReader reader) throws IOException {
        JsonObject object = new JsonObject();
        reader.beginObject();
        while (reader.hasNext()) {
            String name = wellFormed(reader.nextName());
            if (object.has(name)) {
                throw new MalformedJsonException("the name '" + name + "' stands twice at " + reader.getPath());
            }
            object.add(name, read(reader));
        }
        reader.endObject();
        return object;
    }

    private static JsonArray readArray(JsonReader reader) throws IOException {
        JsonArray array = new JsonArray();
        reader.beginArray();
        while (reader.hasNext()) {
            array.add(read(reader));
        }
        reader.endArray();
        return array;
    }

    /** Half a pair has no form in UTF-8: it would be stored as a question mark. */
    private static String wellFormed(String text) throws MalformedJsonException {
        if (hasLoneSurrogate(text)) {
            throw new MalformedJsonException("half of a surrogate pair stands alone");
        }
        return text;
    }

    private static boolean hasLoneSurrogate(String text) {
        return text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    /** Gson's hints are for programmers, and the sender's text may be long: neither helps the sender. */
    private static String brief(Exception e) {
        String message = e.getMessage() == null ? "malformed" : e.getMessage();
        String line = message.lines().findFirst().orElse("malformed").replace(GSON_HINT, "malformed");
        return line.length() <= MAX_MESSAGE ? line : line.substring(0, MAX_MESSAGE) + "…";
    }
}
