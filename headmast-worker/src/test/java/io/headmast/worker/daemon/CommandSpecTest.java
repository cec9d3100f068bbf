// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.headmast.api.HeadmastException;
import io.headmast.api.Payload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandSpecTest {
    @Test
    void everyMemberIsRead() {
        assertEquals(
                new CommandSpec(List.of("sleep", "60"), Map.of("A", "b"), Optional.of("/tmp")),
                CommandSpec.parse(
                        Payload.of("{\"command\":[\"sleep\",\"60\"],\"env\":{\"A\":\"b\"},\"workdir\":\"/tmp\"}")));
    }

    @Test
    void commandAloneIsEnough() {
        assertEquals(
                new CommandSpec(List.of("true"), Map.of(), Optional.empty()),
                CommandSpec.parse(Payload.of("{\"command\":[\"true\"]}")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "sleep 60                              | payload must be {'command':['program','argument']}: ",
                "[]                                    | payload must be {'command':['program','argument']}: ",
                "{}                                    | command must name a program",
                "{'command':[]}                        | command must name a program",
                "{'command':'sleep 60'}                | command ",
                "{'command':[1]}                       | command",
                "{'command':['a'],'env':['A=b']}       | env ",
                "{'command':['a'],'env':{'A':1}}       | env",
                "{'command':['a'],'workdir':1}         | workdir ",
                "{'command':['a'],'workDir':'/tmp'}    | workDir is not known; there are command, env and workdir"
            })
    void wrongPayloadSaysWhatIsWrong(String payload, String message) {
        HeadmastException.Invalid wrong = assertThrows(
                HeadmastException.Invalid.class, () -> CommandSpec.parse(Payload.of(payload.replace('\'', '"'))));

        String detail = wrong.detail().replace('"', '\'');
        assertEquals(
                message.strip(),
                detail.substring(0, Math.min(detail.length(), message.strip().length())));
    }
}
