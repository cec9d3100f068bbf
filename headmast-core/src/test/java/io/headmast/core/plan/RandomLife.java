// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Assignment;
import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import io.headmast.core.testing.Samples;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/** What users, workers, operators and misfortune do to a cluster, drawn from a seed; always what the protocol allows. */
final class RandomLife {
    private static final int JOBS = 25;
    private static final int WORKERS = 6;
    private static final List<String> DOMAINS = List.of("a", "ab", "default");

    private final ModelStore keys;
    private final Random random;
    Instant now = Instant.parse("2020-01-01T00:00:00Z");

    RandomLife(ModelStore keys, long seed) {
        this.keys = keys;
        this.random = new Random(seed);
    }

    /** One event, of whatever kind is possible. */
    void event() {
        now = now.plusMillis(random.nextInt(200));
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> submit();
            case 4, 5 -> order();
            case 6, 7 -> joinOrChange();
            case 8 -> any(keys.workers.keySet()).ifPresent(keys::die);
            case 9 -> cordon();
            case 10, 11 -> any(keys.assignments.keySet()).ifPresent(this::report);
            case 12, 13 -> any(keys.killers.keySet()).ifPresent(this::obey);
            case 14 -> any(keys.assignments.keySet()).ifPresent(this::end);
            default -> corruptOrMend();
        }
    }

    private void submit() {
        String id = "j" + random.nextInt(JOBS);
        if (!keys.jobs.containsKey(id) && !keys.states.containsKey(id)) {
            Job.Builder job = Job.builder()
                    .id(id)
                    .domain(DOMAINS.get(random.nextInt(DOMAINS.size())))
                    .weight(1 + random.nextInt(3));
            if (random.nextBoolean()) {
                job.retainFor(Duration.ofSeconds(random.nextInt(10)));
            }
            keys.job(job.build());
        }
    }

    private void order() {
        any(keys.jobs.keySet()).flatMap(id -> keys.jobs.get(id).value()).ifPresent(job -> {
            Job.Builder next = job.toBuilder();
            switch (random.nextInt(10)) {
                case 0 -> next.status(JobStatus.KILLED);
                case 1 -> next.status(JobStatus.DELETING);
                case 2 -> next.targetState(TargetState.INACTIVE);
                case 3 -> next.targetState(TargetState.LOADED);
                case 4 -> next.generation(job.generation() + 1);
                case 5 -> next.weight(1 + random.nextInt(3));
                case 6 ->
                    next.domain(DOMAINS.get(random.nextInt(DOMAINS.size()))).generation(job.generation() + 1);
                case 7 -> next.retainFor(Duration.ofSeconds(random.nextInt(10)));
                default -> next.status(JobStatus.CREATED).targetState(TargetState.LAUNCHED);
            }
            if (job.status() != JobStatus.DELETING) {
                keys.job(next.build());
            }
        });
    }

    private void joinOrChange() {
        String id = "w" + random.nextInt(WORKERS);
        Set<String> domains = new HashSet<>(DOMAINS);
        domains.removeIf(domain -> random.nextBoolean());
        OptionalLong capacity = random.nextInt(3) == 0 ? OptionalLong.empty() : OptionalLong.of(random.nextInt(9));
        keys.worker(Samples.worker(id, domains, capacity, OptionalDouble.of(random.nextInt(3)))
                .withClosing(random.nextInt(5) == 0));
    }

    private void cordon() {
        String id = "w" + random.nextInt(WORKERS);
        if (keys.cordons.containsKey(id)) {
            keys.cordon(id, Optional.empty());
        } else {
            keys.cordon(id, Optional.of(random.nextBoolean() ? Samples.cordon() : Samples.drain("maintenance")));
        }
    }

    private void report(ModelStore.OnWorker key) {
        placed(key)
                .ifPresent(state -> keys.state(
                        key.jobId(),
                        Optional.of(state.to(random.nextBoolean() ? Phase.RUNNING : Phase.LOADED, now, "reported")
                                .withAttempt(state.attempt() + 1))));
    }

    /** The worker gives up what it was told to. */
    private void obey(ModelStore.OnWorker key) {
        Optional<KillOrder> order = keys.killers.get(key).value();
        Optional<RunState> state = placed(key);
        if (order.isPresent() && state.isPresent()) {
            keys.release(key.workerId(), key.jobId(), state.get().to(order.get().then(), now, "released"));
        }
    }

    /** The run ends by itself, or the worker can't run it. */
    private void end(ModelStore.OnWorker key) {
        placed(key).ifPresent(state -> {
            RunState last = switch (random.nextInt(3)) {
                case 0 -> state.to(Phase.COMPLETED, now, "done");
                case 1 -> state.to(Phase.FAILED, now, "broken");
                default -> handedBack(key.workerId(), state);
            };
            keys.release(key.workerId(), key.jobId(), last);
        });
    }

    private RunState handedBack(String workerId, RunState state) {
        List<RunState.HandBack> handBacks = new ArrayList<>(state.handBacks());
        handBacks.removeIf(old -> old.worker().equals(workerId));
        handBacks.add(new RunState.HandBack(
                workerId,
                keys.workers.get(workerId).createRevision(),
                1,
                now.plus(Duration.ofSeconds(1 + random.nextInt(3))),
                "no"));
        return state.to(Phase.PENDING, now, "handed back").withHandBacks(handBacks);
    }

    private void corruptOrMend() {
        switch (random.nextInt(9)) {
            case 0 -> any(keys.jobs.keySet()).ifPresent(id -> keys.job(id, Optional.empty()));
            case 1 -> any(keys.states.keySet()).ifPresent(id -> keys.state(id, Optional.empty()));
            case 2 -> any(keys.workers.keySet()).ifPresent(id -> keys.worker(id, Optional.empty()));
            case 3 ->
                any(keys.assignments.keySet())
                        .ifPresent(key -> keys.assignment(key.workerId(), key.jobId(), Optional.empty()));
            case 4 ->
                any(keys.killers.keySet())
                        .ifPresent(key -> keys.killer(
                                key.workerId(),
                                key.jobId(),
                                Optional.empty(),
                                keys.killers.get(key).lease()));
            case 5 -> any(keys.cordons.keySet()).ifPresent(keys::corruptCordon);
            default -> mend();
        }
    }

    /** An operator repairs what can't be read; a state only when nothing runs that it might be about. */
    private void mend() {
        List.copyOf(keys.jobs.keySet()).forEach(id -> {
            if (keys.jobs.get(id).value().isEmpty()) {
                keys.job(Samples.job(id));
            }
        });
        List.copyOf(keys.states.keySet()).forEach(id -> {
            boolean assigned = keys.assignments.keySet().stream()
                    .anyMatch(key -> key.jobId().equals(id));
            if (keys.states.get(id).value().isEmpty() && !assigned) {
                keys.state(id, Optional.of(RunState.unplaced(Phase.PENDING, 1, 0, now, "mended")));
            }
        });
    }

    /** An assignment that nothing else speaks of, as only a person could write it. */
    void orphanAssignment() {
        any(keys.workers.keySet())
                .ifPresent(worker -> any(keys.jobs.keySet()).ifPresent(job -> {
                    if (!keys.assignments.containsKey(new ModelStore.OnWorker(worker, job))) {
                        keys.assignment(worker, job, Optional.of(new Assignment(TargetState.LAUNCHED)));
                    }
                }));
    }

    /** The state of the run that an assignment is for, with its epoch, if it is still the one. */
    private Optional<RunState> placed(ModelStore.OnWorker key) {
        Known<RunState> known = keys.states.get(key.jobId());
        long epoch = keys.assignments.get(key) == null
                ? 0
                : keys.assignments.get(key).createRevision();
        return Optional.ofNullable(known)
                .flatMap(Known::value)
                .filter(state -> state.worker().equals(Optional.of(key.workerId())) && JobSlot.epoch(known) == epoch)
                .map(state -> state.withWorker(Optional.of(key.workerId()), epoch));
    }

    private <T> Optional<T> any(Collection<T> all) {
        return all.isEmpty()
                ? Optional.empty()
                : all.stream().skip(random.nextInt(all.size())).findFirst();
    }
}
