// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.rulechain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleChainTest {
    @Test
    void aValueGoesThroughTheRulesInTheirOrder() {
        RuleChain chain = parse("{'source':{'every':'1s','value':20},'rules':[{'type':'scale','by':1.8},"
                + "{'type':'offset','by':32},{'type':'filter','above':50},{'type':'log'}]}");
        List<Double> logged = new ArrayList<>();

        assertEquals(OptionalDouble.of(68), chain.tick(logged::add));
        assertEquals(List.of(68.0), logged);
        assertEquals(Duration.ofSeconds(1), chain.every());
    }

    @ParameterizedTest
    @CsvSource({"50, true", "50.1, false", "99.9, false", "100, true", "-3, true"})
    void aFilterKeepsWhatLiesOutside(double value, boolean kept) {
        RuleChain chain = parse("{'source':{'every':'1s','value':" + value
                + "},'rules':[{'type':'filter','above':50,'below':100},{'type':'log'}]}");
        List<Double> logged = new ArrayList<>();

        assertEquals(kept, chain.tick(logged::add).isEmpty());
        assertEquals(kept ? List.of() : List.of(value), logged);
    }

    @Test
    void aChainWithoutRulesGivesItsValue() {
        assertEquals(
                OptionalDouble.of(7),
                parse("{'source':{'every':'1h','value':7},'rules':[]}").tick(value -> {}));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|source",
                "{'source':1}|source",
                "{'source':{}}|source.every",
                "{'source':{'every':'1s'}}|source.value",
                "{'source':{'every':'9ms','value':1}}|source.every",
                "{'source':{'every':1,'value':1}}|source.every",
                "{'source':{'every':'1s','value':'1'}}|source.value",
                "{'source':{'every':'1s','value':1e999}}|source.value",
                "{'source':{'every':'1s','value':1}}|rules",
                "{'source':{'every':'1s','value':1,'unit':'C'},'rules':[]}|source.unit",
                "{'source':{'every':'1s','value':1},'rules':[],'sink':1}|sink",
                "{'source':{'every':'1s','value':1},'rules':[1]}|rules",
                "{'source':{'every':'1s','value':1},'rules':[{}]}|rules[0].type",
                "{'source':{'every':'1s','value':1},'rules':[{'type':'log'},{'type':'map'}]}|rules[1].type",
                "{'source':{'every':'1s','value':1},'rules':[{'type':'scale'}]}|rules[0].by",
                "{'source':{'every':'1s','value':1},'rules':[{'type':'scale','by':null}]}|rules[0].by",
                "{'source':{'every':'1s','value':1},'rules':[{'type':'filter'}]}|rules[0].above",
                "{'source':{'every':'1s','value':1},'rules':[{'type':'log','to':'x'}]}|rules[0].to"
            })
    void whatIsAtFaultIsNamed(String payload, String field) {
        assertEquals(
                Optional.of(field),
                assertThrows(HeadmastException.Invalid.class, () -> parse(payload))
                        .field());
    }

    @Test
    void aPayloadThatIsNoJsonIsRefused() {
        assertThrows(HeadmastException.Invalid.class, () -> parse(""));
        assertThrows(HeadmastException.Invalid.class, () -> parse("[]"));
    }

    private static RuleChain parse(String payload) {
        return RuleChain.parse(Payload.of(payload.replace('\'', '"')));
    }
}
