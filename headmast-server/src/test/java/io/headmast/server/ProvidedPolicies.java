// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.Job;
import io.headmast.core.policy.Candidate;
import io.headmast.core.policy.Candidates;
import io.headmast.core.policy.ScheduleContext;
import io.headmast.core.policy.SchedulePolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Policies as users would bring them, good and bad, and a class path that offers some of them. */
public final class ProvidedPolicies {
    private ProvidedPolicies() {}

    /** All on the first worker by id that takes more. */
    public static class FirstById implements SchedulePolicy {
        @Override
        public String name() {
            return "first-by-id";
        }

        @Override
        public Optional<String> choose(Job job, Candidates candidates, ScheduleContext context) {
            return candidates.nextAfter("").map(Candidate::workerId);
        }
    }

    public static final class AnotherFirstById extends FirstById {}

    public static final class AnotherBalance extends FirstById {
        @Override
        public String name() {
            return "balance";
        }
    }

    public static final class NotConstructible extends FirstById {
        public NotConstructible() {
            throw new IllegalStateException("no licence");
        }
    }

    public static final class NotNamed extends FirstById {
        @Override
        public String name() {
            throw new NoClassDefFoundError("com/example/Names");
        }
    }

    /** Does something on this thread while a class path offers these lines of a providers' file. */
    public static <T> T offering(Path directory, List<String> lines, Supplier<T> action) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            Path services = Files.createDirectories(directory.resolve("META-INF/services"));
            Files.write(services.resolve(SchedulePolicy.class.getName()), lines);
            URL[] classPath = {directory.toUri().toURL()};
            try (URLClassLoader loader = new URLClassLoader(classPath, before)) {
                thread.setContextClassLoader(loader);
                return action.get();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
