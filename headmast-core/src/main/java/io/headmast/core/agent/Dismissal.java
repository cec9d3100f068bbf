// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import io.headmast.api.KillOrder;
import io.headmast.api.Phase;
import io.headmast.api.RunState;
import java.time.Instant;
import java.util.Optional;

/** Why a run has to leave although it need not end by itself: an order, or the worker closes. Pure. */
record Dismissal(AgentState agent, Instant now) {
    /** What is to be written when it leaves; empty if it may stay. */
    Optional<RunState> of(Run run) {
        Optional<KillOrder> order = agent.killOrder(run);
        if (order.isPresent()) {
            return Optional.of(handedOver(run, order.get().then(), order.get().reason()));
        }
        return agent.isClosing() ? Optional.of(handedOver(run, Phase.PENDING, "worker closed")) : Optional.empty();
    }

    /** A run that moves was not at fault: its start doesn't count as an attempt. */
    private RunState handedOver(Run run, Phase then, String reason) {
        boolean startedHere = run.stage == Run.Stage.ENDED;
        int attempt = then == Phase.PENDING && startedHere ? Math.max(0, run.attempt - 1) : run.attempt;
        return run.placed().to(then, now, reason).withAttempt(attempt);
    }
}
