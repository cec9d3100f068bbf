// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import io.headmast.api.Assignment;
import io.headmast.api.Cordon;
import io.headmast.api.Job;
import io.headmast.api.KillOrder;
import io.headmast.api.RunState;
import io.headmast.api.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys as plain maps with revisions, which carries steps out under the compares that the store would make, and tells
 * every {@link ClusterState} that follows it. Every change takes a revision of its own.
 */
final class ModelStore {
    /** The key of an assignment or kill order. */
    record OnWorker(String workerId, String jobId) implements Comparable<OnWorker> {
        @Override
        public int compareTo(OnWorker other) {
            int byWorker = workerId.compareTo(other.workerId);
            return byWorker != 0 ? byWorker : jobId.compareTo(other.jobId);
        }
    }

    final TreeMap<String, Known<Job>> jobs = new TreeMap<>();
    final TreeMap<String, Known<RunState>> states = new TreeMap<>();
    final TreeMap<String, Known<Worker>> workers = new TreeMap<>();
    final TreeMap<String, Known<Cordon>> cordons = new TreeMap<>();
    final TreeMap<OnWorker, Known<Assignment>> assignments = new TreeMap<>();
    final TreeMap<OnWorker, Known<KillOrder>> killers = new TreeMap<>();
    private final List<ClusterState> followers = new ArrayList<>();
    private long revision = 1;

    long revision() {
        return revision;
    }

    /** A state that is told every change from now on, and everything that is there. */
    ClusterState follower() {
        ClusterState state = rebuilt();
        followers.add(state);
        return state;
    }

    /** A state made from scratch. */
    ClusterState rebuilt() {
        ClusterState state = new ClusterState();
        workers.forEach((id, known) -> state.worker(id, Optional.of(known)));
        cordons.forEach((id, known) -> state.cordon(id, Optional.of(known)));
        assignments.forEach((key, known) -> state.assignment(key.workerId, key.jobId, Optional.of(known)));
        killers.forEach((key, known) -> state.killer(key.workerId, key.jobId, Optional.of(known)));
        states.forEach((id, known) -> state.state(id, Optional.of(known)));
        jobs.forEach((id, known) -> state.job(id, Optional.of(known)));
        state.advance(revision);
        return state;
    }

    void job(Job job) {
        job(job.id(), Optional.of(job));
    }

    /** @param value empty for a value that can't be read */
    void job(String id, Optional<Job> value) {
        Known<Job> known = put(jobs, id, value, 0);
        tell(state -> state.job(id, Optional.of(known)));
    }

    void state(String id, Optional<RunState> value) {
        Known<RunState> known = put(states, id, value, 0);
        tell(state -> state.state(id, Optional.of(known)));
    }

    /** Registers a worker, or changes the registration that there is. */
    void worker(Worker worker) {
        worker(worker.id(), Optional.of(worker));
    }

    void worker(String id, Optional<Worker> value) {
        long lease = workers.containsKey(id) ? workers.get(id).lease() : revision + 1;
        Known<Worker> known = put(workers, id, value, lease);
        tell(state -> state.worker(id, Optional.of(known)));
    }

    /** @param value empty to lift it */
    void cordon(String workerId, Optional<Cordon> value) {
        if (value.isEmpty()) {
            cordons.remove(workerId);
            revision++;
            tell(state -> state.cordon(workerId, Optional.empty()));
            return;
        }
        Known<Cordon> known = put(cordons, workerId, value, 0);
        tell(state -> state.cordon(workerId, Optional.of(known)));
    }

    void corruptCordon(String workerId) {
        Known<Cordon> known = put(cordons, workerId, Optional.empty(), 0);
        tell(state -> state.cordon(workerId, Optional.of(known)));
    }

    void assignment(String workerId, String jobId, Optional<Assignment> value) {
        long lease = workers.containsKey(workerId) ? workers.get(workerId).lease() : 0;
        Known<Assignment> known = put(assignments, new OnWorker(workerId, jobId), value, lease);
        tell(state -> state.assignment(workerId, jobId, Optional.of(known)));
    }

    void killer(String workerId, String jobId, Optional<KillOrder> value, long lease) {
        Known<KillOrder> known = put(killers, new OnWorker(workerId, jobId), value, lease);
        tell(state -> state.killer(workerId, jobId, Optional.of(known)));
    }

    /** What etcd does when the worker's lease ends: everything on it goes at one revision. */
    void die(String workerId) {
        revision++;
        workers.remove(workerId);
        List<OnWorker> had = List.copyOf(assignments.keySet());
        List<OnWorker> killed = List.copyOf(killers.keySet());
        for (ClusterState state : followers) {
            had.stream()
                    .filter(key -> key.workerId.equals(workerId))
                    .forEach(key -> state.assignment(workerId, key.jobId, Optional.empty()));
            killed.stream()
                    .filter(key -> key.workerId.equals(workerId))
                    .forEach(key -> state.killer(workerId, key.jobId, Optional.empty()));
            state.worker(workerId, Optional.empty());
            state.advance(revision);
        }
        assignments.keySet().removeIf(key -> key.workerId.equals(workerId));
        killers.keySet().removeIf(key -> key.workerId.equals(workerId));
    }

    /** What a worker does when a run has ended: both keys go and the state is written, at one revision. */
    void release(String workerId, String jobId, RunState last) {
        OnWorker key = new OnWorker(workerId, jobId);
        assignments.remove(key);
        killers.remove(key);
        Known<RunState> known = put(states, jobId, Optional.of(last), 0);
        for (ClusterState state : followers) {
            state.assignment(workerId, jobId, Optional.empty());
            state.killer(workerId, jobId, Optional.empty());
            state.state(jobId, Optional.of(known));
            state.advance(revision);
        }
    }

    /** What a worker does about an assignment that no state means: the state is not its to write. */
    void releaseStray(OnWorker key) {
        revision++;
        assignments.remove(key);
        killers.remove(key);
        tell(state -> {
            state.assignment(key.workerId, key.jobId, Optional.empty());
            state.killer(key.workerId, key.jobId, Optional.empty());
        });
    }

    /** Carries a step out, or finds that what it rests on doesn't hold. */
    boolean commit(Step step) {
        if (step instanceof Step.Place place) {
            return place(place);
        } else if (step instanceof Step.Stop stop) {
            return stop(stop);
        } else if (step instanceof Step.Retarget retarget) {
            return retarget(retarget);
        }
        return remove((Step.Remove) step);
    }

    private boolean place(Step.Place place) {
        OnWorker key = new OnWorker(place.workerId(), place.jobId());
        Known<Worker> registration = workers.get(place.workerId());
        boolean holds = factsHold(place.facts())
                && !assignments.containsKey(new OnWorker(place.facts().formerWorker(), place.jobId()))
                && !assignments.containsKey(key)
                && registration != null
                && registration.createRevision() == place.target().registration();
        if (holds) {
            Known<Assignment> assignment = put(
                    assignments,
                    key,
                    Optional.of(new Assignment(place.targetState())),
                    place.target().lease());
            revision--;
            Known<RunState> written = put(states, place.jobId(), Optional.of(place.state()), 0);
            for (ClusterState state : followers) {
                state.assignment(place.workerId(), place.jobId(), Optional.of(assignment));
                state.state(place.jobId(), Optional.of(written));
            }
        }
        return settle(place, holds);
    }

    private boolean stop(Step.Stop stop) {
        OnWorker key = new OnWorker(stop.workerId(), stop.jobId());
        Known<Assignment> assignment = assignments.get(key);
        boolean holds = factsHold(stop.facts())
                && assignment != null
                && assignment.createRevision() == stop.order().epoch();
        if (holds) {
            killer(
                    stop.workerId(),
                    stop.jobId(),
                    Optional.of(stop.order()),
                    stop.target().lease());
        }
        return settle(stop, holds);
    }

    private boolean retarget(Step.Retarget retarget) {
        Known<Assignment> known = assignments.get(new OnWorker(retarget.workerId(), retarget.jobId()));
        boolean holds = known != null && known.createRevision() == retarget.epoch();
        if (holds) {
            assignment(retarget.workerId(), retarget.jobId(), Optional.of(new Assignment(retarget.targetState())));
        }
        return settle(retarget, holds);
    }

    private boolean remove(Step.Remove remove) {
        boolean holds = factsHold(remove.facts())
                && !assignments.containsKey(new OnWorker(remove.facts().formerWorker(), remove.jobId()));
        if (holds) {
            revision++;
            jobs.remove(remove.jobId());
            states.remove(remove.jobId());
            for (ClusterState state : followers) {
                state.job(remove.jobId(), Optional.empty());
                state.state(remove.jobId(), Optional.empty());
            }
        }
        return settle(remove, holds);
    }

    private boolean settle(Step step, boolean holds) {
        for (ClusterState state : followers) {
            state.advance(revision);
            state.settled(step, revision);
        }
        return holds;
    }

    private boolean factsHold(Step.JobFacts facts) {
        return modRevision(jobs.get(facts.jobId())) == facts.jobRevision()
                && modRevision(states.get(facts.jobId())) == facts.stateRevision();
    }

    private static long modRevision(@Nullable Known<?> known) {
        return known == null ? 0 : known.modRevision();
    }

    private <K, T> Known<T> put(Map<K, Known<T>> map, K key, Optional<T> value, long lease) {
        revision++;
        Known<T> before = map.get(key);
        Known<T> now = new Known<>(value, before == null ? revision : before.createRevision(), revision, lease);
        map.put(key, now);
        return now;
    }

    private interface Change {
        void tell(ClusterState state);
    }

    private void tell(Change change) {
        for (ClusterState state : followers) {
            change.tell(state);
            state.advance(revision);
        }
    }
}
