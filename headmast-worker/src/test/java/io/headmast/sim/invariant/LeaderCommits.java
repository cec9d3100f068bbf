// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.api.Keys;
import io.headmast.api.Server;
import io.headmast.core.store.KeyValue;
import io.headmast.sim.cluster.Commit;
import io.headmast.sim.cluster.Sent;
import io.headmast.sim.cluster.ServerProcess;
import io.headmast.sim.cluster.Truth;
import io.headmast.sim.cluster.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Assignments, kill orders and removals are written by the server that holds the leader key at that revision, and by no
 * other (G5). And once a leader has gone on after a transaction whose outcome it could not know, that one can't be
 * applied any more.
 */
final class LeaderCommits implements Invariant {
    private final World world;

    /** What each life of a server has carried out. */
    private final Map<ServerProcess, List<Sent>> steps = new HashMap<>();

    LeaderCommits(World world) {
        this.world = world;
    }

    @Override
    public void committed(Commit commit) {
        Sent sent = commit.sent().orElse(null);
        if (sent == null || !(sent.process() instanceof ServerProcess server) || !isSteps(commit)) {
            return;
        }
        Optional<Server> leader =
                world.truth().before(commit, world.keys().leader()).map(Truth::server);
        if (leader.filter(holder -> holder.incarnation().equals(server.self().incarnation()))
                .isEmpty()) {
            world.violated(name(), server + " commits at " + commit.revision() + " while the leader is " + leader);
        }
        List<Sent> applied = steps.computeIfAbsent(server, id -> new ArrayList<>());
        if (sent.wasUnknown() && applied.stream().anyMatch(other -> other.goesOnAfter(sent))) {
            world.violated(
                    name(),
                    server + " went on after an unknown outcome, and what was unknown came at " + commit.revision());
        }
        applied.add(sent);
    }

    @Override
    public Optional<String> outstanding() {
        Optional<KeyValue> leader = world.truth().item(world.keys().leader());
        boolean led = leader.isPresent() && world.servers().stream().anyMatch(server -> holds(server, leader.get()));
        return led ? Optional.empty() : Optional.of("nobody leads");
    }

    /** Whether it is up, and on the lease that the leader key is on. */
    private boolean holds(ServerProcess server, KeyValue leader) {
        return server.isUp()
                && world.truth()
                        .item(world.keys().server(server.id()))
                        .filter(item -> item.lease() == leader.lease()
                                && Truth.server(item).equals(server.self()))
                        .isPresent();
    }

    private static boolean isSteps(Commit commit) {
        return commit.changes().stream().anyMatch(LeaderCommits::isStep);
    }

    private static boolean isStep(Commit.Change change) {
        return change.name() instanceof Keys.Name.OfAssignment
                || change.name() instanceof Keys.Name.OfKiller
                || change.name() instanceof Keys.Name.OfState
                || (change.name() instanceof Keys.Name.OfJob && change.isDeletion());
    }
}
