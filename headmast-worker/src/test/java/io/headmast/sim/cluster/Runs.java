// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The work that goes on anywhere. */
public final class Runs {
    private final World world;
    private final Set<Run> all = new LinkedHashSet<>();

    Runs(World world) {
        this.world = world;
    }

    void began(Run run) {
        world.note(run.process().name(), "begins ", run.jobId(), "@", run.epoch());
        world.happened(listener -> listener.began(run));
        all.add(run);
    }

    void ended(Run run) {
        if (all.remove(run)) {
            world.note(run.process().name(), "ends ", run.jobId(), "@", run.epoch());
            world.happened(listener -> listener.ended(run));
        }
    }

    void processEnded(WorkerProcess process) {
        in(process).forEach(this::ended);
    }

    /** In the order they began. */
    public List<Run> all() {
        return List.copyOf(all);
    }

    public List<Run> of(String jobId) {
        List<Run> found = new ArrayList<>();
        for (Run run : all) {
            if (run.jobId().equals(jobId)) {
                found.add(run);
            }
        }
        return found;
    }

    public List<Run> in(WorkerProcess process) {
        return all.stream().filter(run -> run.process() == process).toList();
    }
}
