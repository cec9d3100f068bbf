// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.api.HeadmastException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What the flags of every daemon have in common: the settings' file, and how values are read. Every value of a flag is a
 * text, so that one that is overridden need not make sense, and one that makes none can be reported with the place it
 * came from.
 *
 * @param <O> the options that the flags make
 */
public abstract class SettingsFlags<O> implements DaemonCommand.Flags<O> {
    private static final int LAST = 100;

    @Option(
            names = "--config",
            order = LAST,
            paramLabel = "FILE",
            description = {"A properties file with settings.", "Default: none. Environment: HEADMAST_CONFIG."})
    private @Nullable String config;

    @Override
    public final Optional<String> config() {
        return Optional.ofNullable(config);
    }

    /** A flag's value, without the blanks around it; one that holds nothing else wasn't given. */
    protected static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** The parts of a list with commas. */
    protected static List<String> list(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    /** @throws HeadmastException.Invalid naming the option, in camel case */
    protected static long number(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new HeadmastException.Invalid(name, "must be a whole number");
        }
    }

    /**
     * The same for an int; a number beyond it is as far out of range as the largest one.
     *
     * @throws HeadmastException.Invalid naming the option, in camel case
     */
    protected static int integer(String name, String text) {
        return (int) Math.max(-1, Math.min(number(name, text), Integer.MAX_VALUE));
    }
}
