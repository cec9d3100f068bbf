// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Keys;
import io.headmast.api.Phase;
import io.headmast.api.TargetState;
import io.headmast.core.store.KeyValue;
import io.headmast.server.faults.check.Evidence.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * In the end, with the faults over, what should run runs, once, where the store says so, and nothing else does; the state
 * of what runs says so, and nothing is left of what was removed. The stored state of a job that lost its worker and must
 * not run says what it was last: nobody writes it any more, and what users are shown is computed from all of it.
 */
final class QuietEnd implements Check {
    @Override
    public String name() {
        return "quiet-end";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        StoreView view = new StoreView(evidence.keys());
        evidence.store().forEach(view::apply);
        Map<String, List<Run>> running = new HashMap<>();
        evidence.runs().stream()
                .filter(Run::goesOn)
                .forEach(run -> running.computeIfAbsent(run.job(), job -> new ArrayList<>())
                        .add(run));
        List<String> violations = new ArrayList<>();
        Set<String> jobs = new TreeSet<>(view.jobs());
        jobs.addAll(running.keySet());
        for (KeyValue item : view.items()) {
            evidence.keys().parse(item.key()).ifPresent(name -> addJobOf(name, jobs));
        }
        for (String job : jobs) {
            judge(job, view, running.getOrDefault(job, List.of()), violations);
        }
        return violations;
    }

    private static void addJobOf(Keys.Name name, Set<String> jobs) {
        if (name instanceof Keys.Name.OfState of) {
            jobs.add(of.jobId());
        } else if (name instanceof Keys.Name.OfAssignment of) {
            jobs.add(of.jobId());
        } else if (name instanceof Keys.Name.OfKiller of) {
            jobs.add(of.jobId());
        }
    }

    private static void judge(String job, StoreView view, List<Run> running, List<String> violations) {
        boolean wanted = view.job(job).filter(Job::wantsPlacement).isPresent();
        boolean launched = wanted && view.job(job).orElseThrow().targetState() == TargetState.LAUNCHED;
        List<StoreView.Placed> placements = view.placements(job);
        Phase phase = view.state(job).map(state -> state.state().phase()).orElse(null);
        String shown = job + ": record " + view.job(job) + ", placed as " + placements + ", state " + view.state(job)
                + ", runs " + running;
        if (placements.size() != (wanted ? 1 : 0) || running.size() != (launched ? 1 : 0)) {
            violations.add("not as ordered, " + shown);
        } else if (launched
                && (phase != Phase.RUNNING
                        || running.get(0).epoch() != placements.get(0).epoch()
                        || !running.get(0).worker().equals(placements.get(0).worker()))) {
            violations.add("not as shown, " + shown);
        } else if (!wanted && isLeft(job, view)) {
            violations.add("left over, " + shown);
        }
    }

    private static boolean isLeft(String job, StoreView view) {
        boolean kept = view.job(job)
                .filter(record -> record.status() != JobStatus.DELETING)
                .isPresent();
        return !kept || !view.placements(job).isEmpty();
    }
}
