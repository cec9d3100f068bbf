// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.api.Keys;
import io.headmast.server.faults.check.Evidence;
import io.headmast.server.faults.check.OperationLines;
import io.headmast.server.faults.check.Revision;
import io.headmast.server.faults.kind.Stage;
import io.headmast.server.process.Journals;
import io.headmast.server.process.ProcessCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Gathers what a run has left behind. */
final class Witness {
    /** What a server logs of each step that it was answered to be committed. */
    private static final Pattern COMMIT =
            Pattern.compile("\\b(place|stop|retarget|remove) job=(\\S+) worker=\\S* revision=(\\d+) ");

    private Witness() {}

    static Evidence evidence(ProcessCluster cluster, StoreRecorder.Whole whole, List<String> operations) {
        Journals journals = cluster.journals;
        List<Revision> history =
                whole.history().stream().map(StoreRecorder.Seen::revision).toList();
        List<Evidence.Commit> commits = new ArrayList<>();
        Stage.SERVERS.forEach(
                server -> commits.addAll(commits(server, cluster.child(server).log())));
        return new Evidence(
                new Keys(cluster.prefix()),
                OperationLines.parse(operations),
                history,
                whole.last(),
                journals.runs().stream()
                        .map(run -> new Evidence.Run(run.job(), run.worker(), run.epoch(), run.from(), run.to()))
                        .toList(),
                journals.standstills().stream()
                        .map(still -> new Evidence.Standstill(still.worker(), still.from(), still.to()))
                        .toList(),
                commits);
    }

    static List<Evidence.Commit> commits(String server, String log) {
        List<Evidence.Commit> commits = new ArrayList<>();
        Matcher lines = COMMIT.matcher(log);
        while (lines.find()) {
            commits.add(new Evidence.Commit(server, lines.group(1), lines.group(2), Long.parseLong(lines.group(3))));
        }
        return commits;
    }
}
