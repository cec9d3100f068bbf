// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.json.DurationText;
import io.headmast.worker.WorkerContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The worker's flags. Every value is a text here; see the server's for why. */
@Command(
        name = "headmast worker",
        description = {
            "Runs jobs as processes of this machine. A job's payload says what to run:",
            "{\"command\":[\"sleep\",\"60\"],\"env\":{\"NAME\":\"value\"},\"workdir\":\"/tmp\"}"
        },
        mixinStandardHelpOptions = true,
        versionProvider = DaemonVersion.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        footer = {
            "",
            "A flag goes before the environment, that before the file. The file has a line such as",
            "lease-ttl=10s for each setting.",
            "",
            "Exit codes: 0 stopped, 1 failed, 2 wrong usage."
        })
final class WorkerFlags implements DaemonCommand.Flags<WorkerContext> {
    @Option(
            names = "--etcd-endpoints",
            paramLabel = "ADDRESS[,ADDRESS...]",
            description = {
                "Where etcd is reached.",
                "Default: http://127.0.0.1:2379. Environment: HEADMAST_ETCD_ENDPOINTS."
            })
    private @Nullable String etcdEndpoints;

    @Option(
            names = "--worker-id",
            paramLabel = "ID",
            description = {
                "A name of its own for this worker.",
                "Default: made up once and kept in the data directory. Environment: HEADMAST_WORKER_ID."
            })
    private @Nullable String workerId;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = {
                "Where id and lock are kept, so that a worker that restarts takes its jobs up again at once.",
                "Default: none. Environment: HEADMAST_DATA_DIR."
            })
    private @Nullable String dataDir;

    @Option(
            names = "--domains",
            paramLabel = "NAME[,NAME...]",
            description = {"The domains it takes jobs of.", "Default: all. Environment: HEADMAST_DOMAINS."})
    private @Nullable String domains;

    @Option(
            names = "--capacity",
            paramLabel = "N",
            description = {
                "The sum of the weights of the jobs it takes.",
                "Default: no limit. Environment: HEADMAST_CAPACITY."
            })
    private @Nullable String capacity;

    @Option(
            names = "--metadata",
            paramLabel = "NAME=VALUE[,...]",
            description = {"What is told about this machine.", "Default: nothing. Environment: HEADMAST_METADATA."})
    private @Nullable String metadata;

    @Option(
            names = "--public-ip",
            paramLabel = "ADDRESS",
            description = {
                "The address of this machine that is shown to people.",
                "Default: none. Environment: HEADMAST_PUBLIC_IP."
            })
    private @Nullable String publicIp;

    @Option(
            names = "--lease-ttl",
            paramLabel = "DURATION",
            description = {
                "How long after its last sign of life its jobs go elsewhere, 2s to 1h.",
                "Default: 10s. Environment: HEADMAST_LEASE_TTL."
            })
    private @Nullable String leaseTtl;

    @Option(
            names = "--prefix",
            paramLabel = "PATH",
            description = {
                "What every key in etcd begins with.",
                "Default: " + Keys.DEFAULT_PREFIX + ". Environment: HEADMAST_PREFIX."
            })
    private @Nullable String prefix;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = {"A properties file with settings.", "Default: none. Environment: HEADMAST_CONFIG."})
    private @Nullable String config;

    @Override
    public Optional<String> config() {
        return Optional.ofNullable(config);
    }

    @Override
    public WorkerContext toOptions() {
        WorkerContext.Builder context = WorkerContext.builder();
        given(etcdEndpoints).ifPresent(text -> context.etcdEndpoints(list(text)));
        given(workerId).ifPresent(context::workerId);
        given(dataDir).ifPresent(text -> context.dataDir(Path.of(text)));
        given(domains).ifPresent(text -> context.domains(domains(text)));
        given(capacity).ifPresent(text -> context.capacity(number("capacity", text)));
        given(metadata).ifPresent(text -> context.metadata(pairs(text)));
        given(publicIp).ifPresent(context::publicIp);
        given(leaseTtl).ifPresent(text -> context.leaseTtl(DurationText.parse("leaseTtl", text)));
        given(prefix).ifPresent(context::prefix);
        return context.build();
    }

    private static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).map(String::strip).filter(value -> !value.isEmpty());
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }

    private static Set<String> domains(String text) {
        return new TreeSet<>(list(text));
    }

    private static long number(String field, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new HeadmastException.Invalid(field, "must be a whole number");
        }
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : list(text)) {
            int at = pair.indexOf('=');
            if (at < 1) {
                throw new HeadmastException.Invalid("metadata", "must look like region=eu,disk=ssd");
            }
            pairs.put(pair.substring(0, at), pair.substring(at + 1));
        }
        return pairs;
    }
}
