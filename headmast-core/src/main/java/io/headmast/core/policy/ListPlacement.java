// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.policy;

import io.headmast.api.Job;
import io.headmast.api.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The seed's list-shaped questions, answered by a policy's {@link SchedulePolicy#choose}. Used once. */
final class ListPlacement {
    private final SchedulePolicy policy;
    private final ScheduleContext context;
    private final List<String> order = new ArrayList<>();
    private final NavigableMap<String, Worker> workers = new TreeMap<>();

    ListPlacement(SchedulePolicy policy, ScheduleContext context, List<Worker> all) {
        this.policy = policy;
        this.context = context;
        all.forEach(this::add);
    }

    List<Worker> jobChanged(Job job, boolean added) {
        if (added) {
            place(job);
        } else {
            workers.replaceAll((id, worker) -> without(worker, job.id()));
        }
        return result();
    }

    List<Worker> workerChanged(Worker worker, boolean added) {
        if (added) {
            add(worker);
        } else {
            for (String jobId : worker.workingJobs()) {
                place(Job.builder().id(jobId).domain(anyDomainOf(worker)).build());
            }
        }
        return result();
    }

    private void add(Worker worker) {
        order.add(worker.id());
        workers.put(worker.id(), worker);
    }

    private void place(Job job) {
        policy.choose(job, new Filtered(job), context).map(workers::get).ifPresent(chosen -> {
            List<String> working = new ArrayList<>(chosen.workingJobs());
            working.add(job.id());
            workers.put(chosen.id(), chosen.withJobs(working, chosen.killingJobs()));
        });
    }

    private List<Worker> result() {
        return order.stream().map(workers::get).toList();
    }

    /** The lists hold ids only: a job that moves is taken to be of a domain its worker served. */
    private static String anyDomainOf(Worker worker) {
        return worker.domains().stream().findFirst().orElse(Job.DEFAULT_DOMAIN);
    }

    private static Worker without(Worker worker, String jobId) {
        List<String> working = new ArrayList<>(worker.workingJobs());
        return working.remove(jobId) ? worker.withJobs(working, worker.killingJobs()) : worker;
    }

    private final class Filtered implements Candidates {
        private final NavigableMap<String, Candidate> eligible = new TreeMap<>();

        Filtered(Job job) {
            for (Worker worker : workers.values()) {
                WorkerFacts facts = new WorkerFacts(worker, worker.workingJobs().size(), Optional.empty());
                if (Eligibility.refusal(job, facts).isEmpty()) {
                    eligible.put(worker.id(), facts.candidate());
                }
            }
        }

        @Override
        public Optional<Candidate> leastUtilised() {
            return eligible.values().stream().min(Candidate.BY_UTILISATION);
        }

        @Override
        public Optional<Candidate> nextAfter(String workerId) {
            var next = eligible.higherEntry(workerId);
            if (next == null) {
                next = eligible.firstEntry();
            }
            return Optional.ofNullable(next).map(Map.Entry::getValue);
        }

        @Override
        public boolean contains(String workerId) {
            return eligible.containsKey(workerId);
        }

        @Override
        public Iterable<Candidate> inIdOrder() {
            return eligible.values();
        }
    }
}
