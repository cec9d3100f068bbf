// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

class HeadmastExceptionTest {
    static final List<HeadmastException> EACH = List.of(
            new HeadmastException.Invalid("weight", "must be at least 1"),
            new HeadmastException.Invalid("", "must be a JSON object"),
            new HeadmastException.Unauthorized("a"),
            new HeadmastException.NotFound("b"),
            new HeadmastException.AlreadyExists("c"),
            new HeadmastException.Conflict("d"),
            new HeadmastException.Gone("e"),
            new HeadmastException.PreconditionFailed("f"),
            new HeadmastException.TooLarge("g"),
            new HeadmastException.Internal("h"),
            new HeadmastException.Unavailable("i"),
            new HeadmastException.Indeterminate("j"),
            new HeadmastException.StorageFull("k"));

    @ParameterizedTest
    @FieldSource("EACH")
    void eachKindSurvivesTheWayOverHttp(HeadmastException thrown) {
        HeadmastException read = HeadmastException.of(
                thrown.type(),
                thrown.httpStatus(),
                thrown.detail(),
                thrown.field().orElse(null));

        assertSame(thrown.getClass(), read.getClass());
        assertEquals(thrown.detail(), read.detail());
        assertEquals(thrown.field(), read.field());
        assertEquals(thrown.httpStatus(), read.httpStatus());
    }

    @ParameterizedTest
    @CsvSource({
        "400, invalid", "401, unauthorized", "403, unauthorized", "404, not-found", "405, invalid", "408, unavailable",
        "409, conflict", "410, gone", "412, precondition-failed", "413, too-large", "429, unavailable", "500, internal",
        "501, internal", "502, indeterminate", "503, unavailable", "504, indeterminate", "507, storage-full"
    })
    void theStatusDecidesWhenTheTypeIsNotKnown(int status, String type) {
        assertEquals(
                type, HeadmastException.of("brand-new", status, "detail", null).type());
        assertEquals(type, HeadmastException.of("", status, "detail", "field").type());
    }

    @Test
    void theTypeDecidesBeforeTheStatus() {
        assertEquals(
                "already-exists",
                HeadmastException.of("already-exists", 409, "detail", null).type());
    }

    @Test
    void aFieldIsNamedInTheDetailOnce() {
        HeadmastException refused = new HeadmastException.Invalid("weight", "must be at least 1");

        assertEquals("weight must be at least 1", refused.detail());
        assertEquals(Optional.of("weight"), refused.field());
        assertEquals(
                "weight must be at least 1",
                HeadmastException.of("invalid", 400, refused.detail(), "weight").detail());
    }
}
