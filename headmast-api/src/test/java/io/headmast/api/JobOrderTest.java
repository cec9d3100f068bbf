// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** An order to many never means more jobs than its sender meant. */
class JobOrderTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "selector           | {\"action\":\"kill\"}",
                "selector           | {\"action\":\"kill\",\"selector\":{}}",
                "selector           | {\"action\":\"kill\",\"selector\":{\"labels\":{}}}",
                "selector           | {\"action\":\"kill\",\"selector\":{\"all\":false}}",
                "selector.ids       | {\"action\":\"kill\",\"selector\":{\"ids\":[]}}",
                "selector.ids       | {\"action\":\"kill\",\"selector\":{\"ids\":[],\"domain\":\"eu\"}}",
                "ids                | {\"action\":\"kill\",\"selector\":{\"ids\":[\"a/b\"]}}",
                "selector.lables    | {\"action\":\"kill\",\"selector\":{\"domain\":\"eu\",\"lables\":{\"a\":\"b\"}}}",
                "all                | {\"action\":\"kill\",\"selector\":{\"domain\":\"eu\",\"all\":true}}",
                "selector.state     | {\"action\":\"kill\",\"selector\":{\"state\":\"up\"}}",
                "limit              | {\"action\":\"kill\",\"selector\":{\"all\":true},\"limit\":1001}",
                "all                | {\"action\":\"kill\",\"selector\":{\"ids\":[\"a\"]},\"all\":true}",
                "action             | {\"action\":\"explode\",\"selector\":{\"all\":true}}",
                "action             | {\"selector\":{\"all\":true}}",
            })
    void whatIsNotClearIsRefusedNamingTheField(String field, String json) {
        HeadmastException.Invalid refusal = assertThrows(
                HeadmastException.Invalid.class,
                () -> JobOrder.fromJson(Json.parseObject(json.getBytes(StandardCharsets.UTF_8))));

        assertEquals(Optional.of(field), refusal.field(), refusal.detail());
    }

    @Test
    void idsAreTakenOnceAndInOrder() {
        assertEquals(
                List.of("a", "b"),
                List.copyOf(JobSelector.ids(List.of("b", "a", "b")).ids()));
    }

    @ParameterizedTest
    @EnumSource(JobAction.class)
    void everyOrderToOneJobCanBeGivenToMany(JobAction action) {
        assertEquals(Optional.of(action), BulkAction.of(action).order());
        assertEquals(action.wireName(), BulkAction.of(action).wireName());
    }

    @Test
    void problemIsTheFailureItToldOf() {
        HeadmastException failure = new HeadmastException.Invalid("weight", "must be at least 1");

        Problem problem = Problem.fromJson(Problem.of(failure).toJson());

        assertTrue(problem.toException() instanceof HeadmastException.Invalid);
        assertEquals(failure.detail(), problem.toException().detail());
        assertEquals(Optional.of("weight"), problem.toException().field());
    }
}
