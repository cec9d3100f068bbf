// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher script, in a directory laid out like a checkout, with programs that tell how they were called. */
class LauncherTest {
    private static final Path SCRIPT = Path.of("..", "headmast");

    private final Map<String, String> environment = new TreeMap<>();

    @TempDir
    private Path directory;

    private Path home;

    @BeforeEach
    void layOut() throws IOException {
        home = Files.createDirectories(directory.resolve("a checkout"));
        Files.copy(SCRIPT, home.resolve("headmast"));
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Files.createDirectories(home.resolve("headmast-server/src/main"));
        program(home.resolve("mvnw"), """
                echo "mvnw $*"
                mkdir -p headmast-server/target headmast-worker/target
                touch headmast-server/target/headmast-server.jar headmast-worker/target/headmast-worker.jar
                """);
        java("17.0.15");
    }

    @Test
    void firstUseBuildsAndSaysSo() throws Exception {
        Result result = headmast(home, "./headmast", "server", "--port", "0");

        assertEquals(0, result.code(), result.err());
        assertTrue(result.err().contains("headmast: building"), result.err());
        assertTrue(result.err().contains("mvnw -q -DskipTests package"), result.err());
        assertEquals(
                List.of("-jar", home.toRealPath() + "/headmast-server/target/headmast-server.jar", "--port", "0"),
                result.arguments());
    }

    @Test
    void devIsTheServersProgramToo() throws Exception {
        Result result = headmast(home, "./headmast", "dev", "--workers", "2");

        assertEquals(0, result.code(), result.err());
        assertEquals(
                List.of(
                        "-jar",
                        home.toRealPath() + "/headmast-server/target/headmast-server.jar",
                        "dev",
                        "--workers",
                        "2"),
                result.arguments());
    }

    @Test
    void whatIsUpToDateIsNotBuiltAgain() throws Exception {
        headmast(home, "./headmast", "server");

        assertEquals("", headmast(home, "./headmast", "server").err());

        Path source = Files.writeString(home.resolve("headmast-server/src/main/New.java"), "class New {}");
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(5)));
        assertTrue(headmast(home, "./headmast", "server").err().contains("building"));
    }

    @Test
    void failedBuildIsTold() throws Exception {
        program(home.resolve("mvnw"), "exit 1");

        Result result = headmast(home, "./headmast", "server");

        assertEquals(1, result.code());
        assertTrue(result.err().contains("the build failed"), result.err());
    }

    @Test
    void argumentsAndOptionsArriveAsTheyAre() throws Exception {
        environment.put("HEADMAST_JAVA_OPTS", "-Xmx64m -Da=b");

        List<String> arguments =
                headmast(home, "./headmast", "worker", "a b", "", "*", "$HOME").arguments();

        assertEquals(List.of("-Xmx64m", "-Da=b", "-jar"), arguments.subList(0, 3));
        assertEquals(List.of("a b", "", "*", "$HOME"), arguments.subList(4, arguments.size()));
    }

    @Test
    void moreClassesAreFoundBehindTheProgramsOwn() throws Exception {
        Path jars = Files.createDirectories(directory.resolve("my jars"));
        Path jar = Files.createFile(jars.resolve("pack.jar"));
        String more = jar + ":" + jars + "/*";
        environment.put("HEADMAST_CLASSPATH", more);

        Result result = headmast(home, "./headmast", "server", "--port", "0");

        assertEquals(0, result.code(), result.err());
        assertEquals(
                List.of(
                        "-cp",
                        home.toRealPath() + "/headmast-server/target/headmast-server.jar:" + more,
                        "io.headmast.server.Main",
                        "--port",
                        "0"),
                result.arguments());
        assertTrue(headmast(home, "./headmast", "worker").arguments().contains("io.headmast.worker.Main"));
    }

    @Test
    void missingPartOfTheClassPathIsTold() throws Exception {
        environment.put("HEADMAST_CLASSPATH", directory + ":" + directory + "/nowhere.jar");

        Result result = headmast(home, "./headmast", "server");

        assertEquals(1, result.code());
        assertTrue(
                result.err().contains("HEADMAST_CLASSPATH names " + directory + "/nowhere.jar, but there is no such"),
                result.err());
    }

    @Test
    void worksFromAnyDirectoryAndThroughSymbolicLinks() throws Exception {
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("real"), home.resolve("headmast"));
        Files.createSymbolicLink(bin.resolve("hm"), Path.of("real"));

        Result result = headmast(directory, "bin/hm", "server");

        assertEquals(0, result.code(), result.err());
        assertEquals(
                home.toRealPath() + "/headmast-server/target/headmast-server.jar",
                result.arguments().get(1));
    }

    @Test
    void javaTakesTheLaunchersPlaceSoThatSignalsReachIt() throws Exception {
        headmast(home, "./headmast", "server");

        Result result = headmast(home, "./headmast", "server");

        assertEquals(
                result.pid(), Long.parseLong(result.out().lines().findFirst().orElseThrow()));
    }

    @Test
    void missingJavaIsTold() throws Exception {
        environment.put("JAVA_HOME", directory + "/nowhere");

        Result result = headmast(home, "./headmast", "server");

        assertEquals(1, result.code());
        assertTrue(result.err().contains("there is no bin/java in it"), result.err());
    }

    @Test
    void oldJavaIsTold() throws Exception {
        for (String old : List.of("11.0.2", "1.8.0_392")) {
            java(old);

            Result result = headmast(home, "./headmast", "server");

            assertEquals(1, result.code());
            assertTrue(result.err().contains("Java 17 or newer is needed"), result.err());
        }
        java("21-ea");
        assertEquals(0, headmast(home, "./headmast", "server").code());
    }

    @Test
    void unknownCommandIsWrongUsage() throws Exception {
        Result unknown = headmast(home, "./headmast", "explode");

        assertEquals(2, unknown.code());
        assertTrue(unknown.err().contains("there is no command 'explode'"), unknown.err());
        assertTrue(unknown.err().contains("Usage:"), unknown.err());
        assertEquals(2, headmast(home, "./headmast").code());
    }

    @Test
    void helpNeedsNeitherJavaNorABuild() throws Exception {
        environment.put("JAVA_HOME", directory + "/nowhere");

        Result result = headmast(home, "./headmast", "help");

        assertEquals(0, result.code());
        assertTrue(result.out().startsWith("Usage: headmast"), result.out());
        assertFalse(Files.exists(home.resolve("target")));
    }

    @Test
    void versionIsTheServers() throws Exception {
        List<String> arguments = headmast(home, "./headmast", "--version").arguments();

        assertEquals("--version", arguments.get(arguments.size() - 1));
    }

    private record Result(int code, long pid, String out, String err) {
        /** What the pretended Java was called with: a line each, after that with its process id. */
        List<String> arguments() {
            return out.lines().skip(1).toList();
        }
    }

    private Result headmast(Path from, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)))
                .directory(from.toFile())
                .redirectError(directory.resolve("err").toFile());
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        return new Result(code, process.pid(), out, Files.readString(directory.resolve("err")));
    }

    private void java(String version) throws IOException {
        Path bin = Files.createDirectories(directory.resolve("jdk/bin"));
        program(bin.resolve("java"), """
                if [ "$1" = -version ]; then
                    echo 'openjdk version "%s" 2025-01-01' >&2
                    exit
                fi
                echo "$$"
                printf '%%s\\n' "$@"
                """.formatted(version));
    }

    private static void program(Path path, String text) throws IOException {
        Files.writeString(path, "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
