// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.HeadmastException;
import io.headmast.api.Server;
import io.headmast.api.json.Json;
import io.headmast.core.store.KeyValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A step that a server logged as its own, committed at a revision, was committed while the leader key named that server.
 * A deposed leader's commits would show here, as far as it got their answers; those it got none for are in no log.
 */
final class CommitsByTheLeader implements Check {
    @Override
    public String name() {
        return "commits-by-the-leader";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        if (evidence.commits().isEmpty() && !evidence.runs().isEmpty()) {
            throw new Inconclusive("jobs ran, and no server's log tells of a placement");
        }
        Map<Long, List<Evidence.Commit>> byRevision = evidence.commits().stream()
                .collect(Collectors.groupingBy(Evidence.Commit::revision, TreeMap::new, Collectors.toList()));
        List<String> violations = new ArrayList<>();
        StoreView view = new StoreView(evidence.keys());
        for (Revision revision : evidence.store()) {
            List<Evidence.Commit> commits = byRevision.getOrDefault(revision.number(), List.of());
            if (!commits.isEmpty()) {
                Optional<String> leader = view.get(evidence.keys().leader()).flatMap(CommitsByTheLeader::serverId);
                commits.stream()
                        .filter(commit -> !leader.equals(Optional.of(commit.server())))
                        .forEach(commit -> violations.add(commit + " while the leader key named " + leader));
            }
            view.apply(revision);
        }
        return violations;
    }

    private static Optional<String> serverId(KeyValue leader) {
        try {
            return Optional.of(Server.fromJson(Json.parseObject(leader.value().toByteArray()))
                    .id());
        } catch (HeadmastException.Invalid e) {
            return Optional.empty();
        }
    }
}
