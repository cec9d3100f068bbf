// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.core.agent.AgentDescription;
import io.headmast.core.mirror.Entry;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.plan.ClusterDescription;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.store.KeyValue;
import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.ServerProcess;
import io.headmast.sim.cluster.WorkerProcess;
import io.headmast.sim.cluster.World;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Whatever its watches went through, what a process knows is what the store held at the revision that the process says
 * it has come to: every server's mirror, every agent's assignments. And what a server plans on, kept up change by
 * change, is what it would be if it were built from a list. A mirror whose watch passed over events, which a store must
 * never do, has until its next listing.
 */
final class MirrorsRight implements Invariant {
    private static final MirrorOptions OPTIONS = MirrorOptions.standard(new Random(1));

    private final World world;

    MirrorsRight(World world) {
        this.world = world;
    }

    @Override
    public void examine() {
        for (ClusterProcess process : world.processes()) {
            if (process.isUp() && !process.hasWrongMirror() && process.knows() != 0) {
                look(process);
            }
        }
    }

    @Override
    public Optional<String> outstanding() {
        for (ClusterProcess process : world.processes()) {
            boolean behind = process instanceof ServerProcess
                    && process.knows() < world.truth().revision();
            if (process.isUp() && (process.hasWrongMirror() || behind)) {
                return Optional.of(process + " has yet to list everything again");
            }
        }
        return Optional.empty();
    }

    private void look(ClusterProcess process) {
        NavigableMap<String, KeyValue> then = world.truth().at(process.knows());
        if (process instanceof ServerProcess server) {
            compare(server, keys(then), told(server));
            lookAtState(server);
        } else if (process instanceof WorkerProcess worker) {
            Map<String, Long> known = AgentDescription.assignments(worker.agent());
            compare(worker, assignments(worker, then, known), known);
        }
    }

    private void compare(ClusterProcess process, Map<String, ?> right, Map<String, ?> known) {
        if (!right.equals(known)) {
            Map<String, Object> missing = new TreeMap<>(right);
            missing.entrySet().removeAll(known.entrySet());
            Map<String, Object> wrong = new TreeMap<>(known);
            wrong.entrySet().removeAll(right.entrySet());
            world.violated(
                    name(),
                    process + " doesn't know " + missing + " and knows " + wrong + " at revision " + process.knows());
        }
    }

    private static Map<String, String> keys(NavigableMap<String, KeyValue> then) {
        Map<String, String> keys = new TreeMap<>();
        then.forEach(
                (key, item) -> keys.put(key, item.createRevision() + "/" + item.modRevision() + "/" + item.lease()));
        return keys;
    }

    private static Map<String, String> told(ServerProcess server) {
        Map<String, String> keys = new TreeMap<>();
        server.told().forEach((key, entry) -> keys.put(key, revisions(entry)));
        return keys;
    }

    private static String revisions(Entry<?> entry) {
        return entry.createRevision() + "/" + entry.modRevision() + "/" + entry.lease();
    }

    /** Whether one is another process's is for the agent to know. */
    private Map<String, Long> assignments(
            WorkerProcess worker, NavigableMap<String, KeyValue> then, Map<String, Long> known) {
        Map<String, Long> found = new TreeMap<>();
        String path = world.keys().workingPath(worker.id());
        then.forEach((key, item) -> {
            if (key.startsWith(path)) {
                String jobId = key.substring(path.length());
                found.put(jobId, known.getOrDefault(jobId, -1L) == 0 ? 0 : item.createRevision());
            }
        });
        return found;
    }

    private void lookAtState(ServerProcess server) {
        ClusterMirror fresh = new ClusterMirror(world.store(), world.time(), world.keys(), OPTIONS);
        fresh.start();
        world.time().runUntilIdle();
        if (server.knows() == fresh.revision() && ClusterDescription.isSettled(server.state())) {
            try {
                ClusterDescription.assertSameButPlanned(
                        ClusterDescription.prepared(fresh.state(), server.state()), server.state());
            } catch (AssertionError e) {
                world.violated(name(), server + " plans on something else: " + e.getMessage());
            }
        }
        fresh.close();
        world.time().runUntilIdle();
    }
}
