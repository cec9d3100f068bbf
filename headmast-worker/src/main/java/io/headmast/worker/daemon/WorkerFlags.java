// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.api.HeadmastException;
import io.headmast.worker.WorkerContext;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The worker's flags. */
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
final class WorkerFlags extends StoreFlags<WorkerContext> {
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

    @Override
    public WorkerContext toOptions() {
        WorkerContext.Builder context = WorkerContext.builder();
        etcdEndpoints().ifPresent(context::etcdEndpoints);
        given(workerId).ifPresent(context::workerId);
        given(dataDir).ifPresent(text -> context.dataDir(Path.of(text)));
        given(domains).ifPresent(text -> context.domains(domains(text)));
        given(capacity).ifPresent(text -> context.capacity(number("capacity", text)));
        given(metadata).ifPresent(text -> context.metadata(pairs(text)));
        given(publicIp).ifPresent(context::publicIp);
        leaseTtl().ifPresent(context::leaseTtl);
        prefix().ifPresent(context::prefix);
        return context.build();
    }

    private static Set<String> domains(String text) {
        return new TreeSet<>(list(text));
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
