// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java that the documents show is part of what is compiled; white space alone may differ. */
class DocumentedCodeTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("^```java\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    /** Stands for lines that are left out. */
    private static final String ELLIPSIS = "…";

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/embedding.md", "docs/policies.md"})
    void whatIsShownIsCompiled(String document) throws IOException {
        List<String> sources = sources();
        Matcher block = BLOCK.matcher(Files.readString(ROOT.resolve(document)));
        List<String> uncompiled = new ArrayList<>();
        int blocks = 0;
        while (block.find()) {
            blocks++;
            for (String part : block.group(1).split(ELLIPSIS, -1)) {
                String text = withoutSpace(part);
                if (sources.stream().noneMatch(source -> source.contains(text))) {
                    uncompiled.add(part);
                }
            }
        }
        assertTrue(blocks > 0, "no Java in " + document);
        assertEquals(List.of(), uncompiled);
    }

    @Test
    void theNettyToPinIsTheOneThatThisIsBuiltOn() throws IOException {
        String built = only("<netty.version>(.*)</netty.version>", "pom.xml");

        assertEquals(built, only("netty-bom</artifactId>\\s*<version>(.*)</version>", "docs/embedding.md"));
    }

    private static String only(String pattern, String file) throws IOException {
        Matcher match = Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve(file)));
        assertTrue(match.find(), pattern);
        String value = match.group(1);
        assertFalse(match.find(), pattern);
        return value;
    }

    private static List<String> sources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(DocumentedCodeTest::javaIn)
                    .toList();
        }
    }

    private static Stream<String> javaIn(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            List<String> sources = new ArrayList<>();
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                sources.add(withoutSpace(Files.readString(file)));
            }
            return sources.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String withoutSpace(String text) {
        return text.replaceAll("\\s", "");
    }
}
