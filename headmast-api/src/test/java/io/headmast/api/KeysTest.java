// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeysTest {
    private static final String ALPHABET = "ABCXYZabcxyz0189._-@:~";

    @ParameterizedTest
    @ValueSource(strings = {"/headmast", "/team/headmast", "/jobs", "/workers/jobs", "/a.b_c-d"})
    void everyKeyThatIsBuiltIsParsedAsWhatItNames(String prefix) {
        Keys keys = new Keys(prefix);
        Random random = new Random(20260102);
        for (int i = 0; i < 2_000; i++) {
            everyKind(keys, name(random), name(random))
                    .forEach((key, name) -> assertEquals(Optional.of(name), keys.parse(key), key));
        }
    }

    @Test
    void keysOfOneWorkerLieUnderItsTree() {
        Keys keys = Keys.DEFAULT;

        assertEquals("/headmast/workers/w-1/jobs/chain-7", keys.assignment("w-1", "chain-7"));
        assertEquals("/headmast/workers/w-1/killers/chain-7", keys.killer("w-1", "chain-7"));
        assertTrue(keys.workingPath("w-1").startsWith(keys.workerTree("w-1")));
        assertTrue(keys.killerPath("w-1").startsWith(keys.workerTree("w-1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/headmast",
                "/headmast/",
                "/headmast//",
                "/headmas",
                "/headmast2/jobs/a",
                "/headmastjobs/a",
                "headmast/jobs/a",
                "/headmast/jobs",
                "/headmast/jobs/",
                "/headmast/jobs/a/",
                "/headmast/jobs//a",
                "/headmast/jobs/a/b",
                "/headmast/states/a/b",
                "/headmast/unknown/a",
                "/headmast/leader/a",
                "/headmast/other",
                "/headmast/workers/w/jobs",
                "/headmast/workers/w/jobs/",
                "/headmast/workers/w/unknown/a",
                "/headmast/workers/w/jobs/a/b",
                "/headmast/cordons/w/jobs/a",
            })
    void strayKeysNameNothing(String key) {
        assertEquals(Optional.empty(), Keys.DEFAULT.parse(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "headmast", "/headmast/", "//headmast", "/head mast", "/ä"})
    void otherPrefixesAreRefused(String prefix) {
        assertEquals(
                Optional.of("prefix"),
                assertThrows(HeadmastException.Invalid.class, () -> new Keys(prefix))
                        .field());
    }

    private static Map<String, Keys.Name> everyKind(Keys keys, String one, String two) {
        Map<String, Keys.Name> kinds = new LinkedHashMap<>();
        kinds.put(keys.job(one), new Keys.Name.OfJob(one));
        kinds.put(keys.state(one), new Keys.Name.OfState(one));
        kinds.put(keys.worker(one), new Keys.Name.OfWorker(one));
        kinds.put(keys.assignment(one, two), new Keys.Name.OfAssignment(one, two));
        kinds.put(keys.killer(one, two), new Keys.Name.OfKiller(one, two));
        kinds.put(keys.cordon(one), new Keys.Name.OfCordon(one));
        kinds.put(keys.server(one), new Keys.Name.OfServer(one));
        kinds.put(keys.leader(), new Keys.Name.Leader());
        return kinds;
    }

    /** Any name, and now and then one that looks like a part of the layout. */
    private static String name(Random random) {
        List<String> tricky = List.of("jobs", "killers", "leader", "workers", "...", "headmast");
        if (random.nextInt(8) == 0) {
            return tricky.get(random.nextInt(tricky.size()));
        }
        StringBuilder name = new StringBuilder();
        int length = 1 + random.nextInt(120);
        while (name.length() < length || !Names.isValid(name.toString())) {
            name.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return name.toString();
    }
}
