// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.api.HeadmastException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What a flag is worth when it is not given on the command line: the environment's {@code HEADMAST_LEASE_TTL} for
 * {@code --lease-ttl}, else {@code lease-ttl} in a properties file. Knows where each value came from, so that a wrong
 * one can be found. Immutable.
 */
public final class ConfigDefaults implements IDefaultValueProvider {
    /** The flag that names the properties file. */
    public static final String CONFIG_FLAG = "--config";

    private static final String ENVIRONMENT_PREFIX = "HEADMAST_";

    private final Map<String, String> environment;
    private final Map<String, String> file;
    private final String fileName;

    private ConfigDefaults(Map<String, String> environment, Map<String, String> file, String fileName) {
        this.environment = environment;
        this.file = file;
        this.fileName = fileName;
    }

    /**
     * Reads the settings.
     *
     * @param environment the environment's variables
     * @param config the properties file that was named on the command line; without one, {@code HEADMAST_CONFIG} counts
     * @throws HeadmastException.Invalid if the file can't be read
     */
    public static ConfigDefaults read(Map<String, String> environment, Optional<String> config) {
        Map<String, String> variables = Map.copyOf(environment);
        Optional<String> name = config.or(() -> Optional.ofNullable(variables.get(environmentName(CONFIG_FLAG))))
                .filter(text -> !text.isEmpty());
        return new ConfigDefaults(
                variables, name.map(ConfigDefaults::properties).orElse(Map.of()), name.orElse(""));
    }

    /** The variable that stands for a flag: {@code HEADMAST_LEASE_TTL} for {@code --lease-ttl}. */
    public static String environmentName(String flag) {
        return ENVIRONMENT_PREFIX + key(flag).toUpperCase(Locale.ROOT).replace('-', '_');
    }

    @Override
    public @Nullable String defaultValue(ArgSpec arg) {
        if (!(arg instanceof OptionSpec option)) {
            return null;
        }
        String variable = environment.getOrDefault(environmentName(option.longestName()), "");
        return variable.isEmpty() ? file.get(key(option.longestName())) : variable;
    }

    /** Where the value of a flag that is not on the command line came from, for messages; nothing if there is none. */
    public Optional<String> origin(String flag) {
        String variable = environmentName(flag);
        if (!environment.getOrDefault(variable, "").isEmpty()) {
            return Optional.of(variable + " in the environment");
        }
        return file.containsKey(key(flag)) ? Optional.of(key(flag) + " in " + fileName) : Optional.empty();
    }

    /**
     * Checks that the file holds nothing but settings of that command: a misspelt one would silently do nothing.
     *
     * @throws HeadmastException.Invalid naming the first that is not known
     */
    public void requireKnown(CommandSpec command) {
        TreeSet<String> known = new TreeSet<>();
        for (OptionSpec option : command.options()) {
            if (option.arity().max() > 0 && !option.longestName().equals(CONFIG_FLAG)) {
                known.add(key(option.longestName()));
            }
        }
        for (String name : file.keySet()) {
            if (!known.contains(name)) {
                throw new HeadmastException.Invalid(
                        "",
                        fileName + ": the setting '" + name + "' is not known; there are: " + String.join(", ", known));
            }
        }
    }

    private static String key(String flag) {
        return flag.startsWith("--") ? flag.substring(2) : flag;
    }

    private static Map<String, String> properties(String name) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(name), StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw unreadable(name, "there is no such file");
        } catch (IOException | IllegalArgumentException e) {
            throw unreadable(name, String.valueOf(e.getMessage()));
        }
        Map<String, String> settings = new TreeMap<>();
        properties.stringPropertyNames().forEach(key -> settings.put(key, properties.getProperty(key)));
        return settings;
    }

    private static HeadmastException.Invalid unreadable(String name, String why) {
        return new HeadmastException.Invalid("", "can't read the configuration " + name + ": " + why);
    }
}
