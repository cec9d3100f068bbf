// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import io.headmast.api.Job;
import io.headmast.api.JobStatus;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import io.headmast.api.TargetState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Why a worker doesn't begin an assignment that it was given, as the state that it writes when it gives the assignment
 * back: the record may have changed since the leader read it, or the worker may know better. Pure.
 */
record Objections(Session session, Instant now) {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration LAST_PAUSE = Duration.ofMinutes(5);
    private static final int DOUBLINGS = 8;
    private static final int REMEMBERED = 64;

    Optional<RunState> of(RunState state, Reading found) {
        Optional<Job> job = found.job();
        if (job.isEmpty()) {
            return Optional.of(state.to(Phase.KILLED, now, "the job's record is gone or can't be read"));
        }
        if (job.get().status() != JobStatus.CREATED) {
            return Optional.of(state.to(Phase.KILLED, now, "killed before it started"));
        }
        if (job.get().targetState() == TargetState.INACTIVE) {
            return Optional.of(state.to(Phase.INACTIVE, now, "stopped before it started"));
        }
        if (job.get().generation() > state.generation()) {
            return Optional.of(state.to(Phase.PENDING, now, "a newer generation was asked for before it started"));
        }
        return found.refusal().map(reason -> handedBack(state, reason));
    }

    /** The state of a run that this worker can't have. */
    RunState handedBack(RunState state, String reason) {
        List<RunState.HandBack> handBacks = new ArrayList<>(state.handBacks());
        int times = 1;
        for (RunState.HandBack earlier : state.handBacks()) {
            if (earlier.worker().equals(session.workerId())) {
                handBacks.remove(earlier);
                times = earlier.times() + 1;
            }
        }
        if (handBacks.size() >= REMEMBERED) {
            handBacks.remove(0);
        }
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(times - 1, DOUBLINGS));
        Instant until = now.plus(pause.compareTo(LAST_PAUSE) < 0 ? pause : LAST_PAUSE);
        handBacks.add(new RunState.HandBack(session.workerId(), session.registration(), times, until, reason));
        return state.to(Phase.PENDING, now, "worker " + session.workerId() + " handed it back: " + reason)
                .withHandBacks(handBacks);
    }
}
