// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.json.DurationText;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags that every daemon has: where etcd is, under which lease and prefix the daemon lives there, and the settings'
 * file. Every value of a flag is a text, so that one that is overridden need not make sense, and one that makes none can
 * be reported with the place it came from.
 *
 * @param <O> the options that the flags make
 */
public abstract class StoreFlags<O> implements DaemonCommand.Flags<O> {
    @Option(
            names = "--etcd-endpoints",
            paramLabel = "ADDRESS[,ADDRESS...]",
            description = {
                "Where etcd is reached.",
                "Default: http://127.0.0.1:2379. Environment: HEADMAST_ETCD_ENDPOINTS."
            })
    private @Nullable String etcdEndpoints;

    @Option(
            names = "--lease-ttl",
            paramLabel = "DURATION",
            description = {
                "How long after its last sign of life it counts as dead, and others take over what it had, 2s to 1h.",
                "Default: 10s. Environment: HEADMAST_LEASE_TTL."
            })
    private @Nullable String leaseTtl;

    @Option(
            names = "--prefix",
            paramLabel = "PATH",
            description = {
                "What every key in etcd begins with; clusters with different prefixes don't see each other.",
                "Default: " + Keys.DEFAULT_PREFIX + ". Environment: HEADMAST_PREFIX."
            })
    private @Nullable String prefix;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = {"A properties file with settings.", "Default: none. Environment: HEADMAST_CONFIG."})
    private @Nullable String config;

    @Override
    public final Optional<String> config() {
        return Optional.ofNullable(config);
    }

    protected final Optional<List<String>> etcdEndpoints() {
        return given(etcdEndpoints).map(StoreFlags::list);
    }

    protected final Optional<Duration> leaseTtl() {
        return given(leaseTtl).map(text -> DurationText.parse("leaseTtl", text));
    }

    protected final Optional<String> prefix() {
        return given(prefix);
    }

    /** A flag's value, without the blanks around it; one that holds nothing else wasn't given. */
    public static Optional<String> given(@Nullable String text) {
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
}
