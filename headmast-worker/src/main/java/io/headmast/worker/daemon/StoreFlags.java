// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.api.Keys;
import io.headmast.api.json.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags of what lives on etcd: where that is, and under which lease and prefix the daemon lives there.
 *
 * @param <O> the options that the flags make
 */
public abstract class StoreFlags<O> extends SettingsFlags<O> {
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

    protected final Optional<List<String>> etcdEndpoints() {
        return given(etcdEndpoints).map(SettingsFlags::list);
    }

    protected final Optional<Duration> leaseTtl() {
        return given(leaseTtl).map(text -> DurationText.parse("leaseTtl", text));
    }

    protected final Optional<String> prefix() {
        return given(prefix);
    }
}
