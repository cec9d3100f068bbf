// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import java.util.List;
import java.util.function.Consumer;

/**
 * At every revision a job is placed at most once, and its state names that placement: same worker, and the create
 * revision of the assignment as its epoch.
 */
final class OnePlacement extends StepCheck {
    @Override
    public String name() {
        return "one-placement";
    }

    @Override
    void look(StoreStep step, Consumer<String> report) {
        for (String job : step.jobs()) {
            List<StoreView.Placed> placements = step.after().placements(job);
            if (placements.size() > 1) {
                report.accept(job + " is placed " + placements.size() + " times: " + placements);
            }
            boolean named = placements.stream()
                    .allMatch(placed -> step.after()
                            .state(job)
                            .filter(state -> state.names(placed))
                            .isPresent());
            if (!named) {
                report.accept(job + " has the placements " + placements + ", and its state is "
                        + step.after().state(job));
            }
        }
    }
}
