// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobTest {
    @Test
    void aBuilderGivesEachJobAnIdOfItsOwn() {
        Job.Builder builder = Job.builder();

        assertNotEquals(builder.build().id(), builder.build().id());
        assertEquals(Job.DEFAULT_DOMAIN, builder.build().domain());
    }

    @Test
    void jobsAreEqualByValueWhateverTheOrderOfMembers() {
        Job one = read("{\"id\":\"a\",\"x\":1,\"y\":{\"p\":[1],\"q\":2},\"labels\":{\"k\":\"v\",\"l\":\"w\"}}");
        Job other = read("{\"y\":{\"q\":2,\"p\":[1]},\"labels\":{\"l\":\"w\",\"k\":\"v\"},\"x\":1,\"id\":\"a\"}");

        assertEquals(one, other);
        assertEquals(one.hashCode(), other.hashCode());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"9007199254740992|9007199254740993", "1|1.0", "[1]|[2]", "[1]|[1,1]", "{}|[]", "null|0", "1|true"})
    void jobsThatDifferInAMemberNobodyKnowsDiffer(String one, String other) {
        assertNotEquals(read("{\"id\":\"a\",\"x\":" + one + "}"), read("{\"id\":\"a\",\"x\":" + other + "}"));
    }

    @ParameterizedTest
    @CsvSource({
        "created, launched, true",
        "created, loaded, true",
        "created, inactive, false",
        "killed, launched, false",
        "deleting, launched, false"
    })
    void onlyWhatShouldRunWantsAPlace(String status, String target, boolean wants) {
        Job job = read("{\"id\":\"a\",\"status\":\"" + status + "\",\"targetState\":\"" + target + "\"}");

        assertEquals(wants, job.wantsPlacement());
    }

    @Test
    void aPayloadIsAnyBytes() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        Job job = Job.builder().payload(Payload.of(bytes)).build();

        assertEquals(job, Job.unmarshalBinary(job.marshalBinary()));
        bytes[0] = 1;
        assertEquals(0, job.payload().toByteArray()[0]);
        assertFalse(job.toString().contains("AAEC"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|id",
                "{'id':7}|id",
                "{'id':null}|id",
                "{'id':''}|id",
                "{'id':'a','domain':''}|domain",
                "{'id':'a','payload':'*'}|payload",
                "{'id':'a','payload':{}}|payload",
                "{'id':'a','status':'Killed'}|status",
                "{'id':'a','targetState':'up'}|targetState",
                "{'id':'a','generation':0}|generation",
                "{'id':'a','generation':1e3}|generation",
                "{'id':'a','generation':1.0}|generation",
                "{'id':'a','generation':9223372036854775808}|generation",
                "{'id':'a','generation':'1'}|generation",
                "{'id':'a','weight':0}|weight",
                "{'id':'a','weight':-1}|weight",
                "{'id':'a','weight':2147483648}|weight",
                "{'id':'a','weight':true}|weight",
                "{'id':'a','labels':[]}|labels",
                "{'id':'a','labels':{'x':1}}|labels.x",
                "{'id':'a','restart':'never'}|restart",
                "{'id':'a','maxRunTime':'0s'}|maxRunTime",
                "{'id':'a','maxRunTime':'36500d1ms'}|maxRunTime",
                "{'id':'a','maxRunTime':3600}|maxRunTime",
                "{'id':'a','maxRunTime':'-1s'}|maxRunTime",
                "{'id':'a','retainFor':'36500d1ms'}|retainFor",
                "{'id':'a','retainFor':'24'}|retainFor",
                "{'id':'a','retainFor':{}}|retainFor"
            })
    void whatIsAtFaultIsNamed(String json, String field) {
        assertEquals(
                Optional.of(field),
                assertThrows(HeadmastException.Invalid.class, () -> read(json.replace('\'', '"')))
                        .field());
    }

    @Test
    void durationsComeBackAsTheyWereGiven() {
        Job job = Job.builder()
                .maxRunTime(Duration.ofHours(1).plusNanos(999_999))
                .retainFor(Duration.ZERO)
                .build();

        assertEquals(Optional.of(Duration.ofHours(1)), job.maxRunTime());
        assertEquals(job, Job.unmarshalBinary(job.marshalBinary()));
        assertEquals(job, job.toBuilder().build());
        assertEquals("1h", job.toJson().get("maxRunTime").getAsString());
        assertEquals("0s", job.toJson().get("retainFor").getAsString());
        Job without = read("{\"id\":\"a\",\"maxRunTime\":null}");
        assertEquals(Optional.empty(), without.maxRunTime());
        assertFalse(without.toJson().has("maxRunTime"));
        assertFalse(without.toJson().has("retainFor"));
    }

    @Test
    void aTextThatUtf8CannotCarryIsRefusedRatherThanChanged() {
        Job job = Job.builder().labels(Map.of("half", "\ud83d")).build();

        assertThrows(HeadmastException.Invalid.class, job::marshalBinary);
    }

    @Test
    void anUnknownMemberStaysReadableInsideAList() {
        String deepest = "[".repeat(32) + "]".repeat(32);
        Job job = read("{\"id\":\"a\",\"x\":" + deepest + "}");
        JobPage page = new JobPage(List.of(new JobView(job, 1, state())), Optional.empty(), 7);

        assertEquals(
                page, JobPage.fromJson(Json.parse(Json.write(page.toJson())).getAsJsonObject()));
        HeadmastException.Invalid refused =
                assertThrows(HeadmastException.Invalid.class, () -> read("{\"id\":\"a\",\"x\":[" + deepest + "]}"));
        assertEquals(Optional.of("x"), refused.field());
        assertTrue(refused.detail().contains("32"), refused.detail());
    }

    private static RunState state() {
        return RunState.unplaced(Phase.PENDING, 1, 0, Instant.EPOCH, "no worker");
    }

    private static Job read(String json) {
        return Job.fromJson(Json.parse(json).getAsJsonObject());
    }
}
