// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.server.faults.check.Evidence.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Once a kill, a stop or a deletion was acknowledged, no run of that job begins later than {@link #SLACK} after, unless
 * somebody asked again. The slack is for a worker that had read the record just before; time in which its process stood
 * still doesn't count.
 */
final class OrdersStand implements Check {
    static final Duration SLACK = Duration.ofSeconds(2);

    @Override
    public String name() {
        return "orders-stand";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        List<String> violations = new ArrayList<>();
        for (Operation order : evidence.operations()) {
            if (order.kind().asksToEnd() && order.isAcknowledged()) {
                evidence.runs().stream()
                        .filter(run -> run.job().equals(order.job())
                                && isTooLate(run, order.returned(), evidence)
                                && !isAskedForAgain(order, run, evidence))
                        .forEach(run -> violations.add(run + " began after " + order));
            }
        }
        return violations;
    }

    private static boolean isTooLate(Run run, long acknowledged, Evidence evidence) {
        long late = run.from() - acknowledged;
        for (Evidence.Standstill still : evidence.standstills()) {
            if (still.worker().equals(run.worker())) {
                late -= Math.max(0, Math.min(run.from(), still.to()) - Math.max(acknowledged, still.from()));
            }
        }
        return late > SLACK.toNanos();
    }

    private static boolean isAskedForAgain(Operation order, Run run, Evidence evidence) {
        return evidence.operations().stream()
                .anyMatch(other -> other.job().equals(order.job())
                        && other.kind().asksToRun()
                        && other.mayHaveChanged()
                        && other.returned() >= order.invoked()
                        && other.invoked() <= run.from());
    }
}
