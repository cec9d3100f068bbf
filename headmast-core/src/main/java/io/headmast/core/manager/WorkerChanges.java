// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.ChangeReason;
import io.headmast.api.Keys;
import io.headmast.api.Worker;
import io.headmast.api.WorkerView;
import io.headmast.core.mirror.Difference;
import io.headmast.core.plan.Observer;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.schedule.Fact;
import java.util.List;
import java.util.Optional;

/** Turns what changed in the mirror into what worker observers are told: registrations and cordons. */
final class WorkerChanges implements ClusterMirror.Listener {
    private final Observer observer;
    private final Observers<WorkerView> observers;

    WorkerChanges(Observer observer, Observers<WorkerView> observers) {
        this.observer = observer;
        this.observers = observers;
    }

    @Override
    public void moved(List<Difference<Fact>> differences) {
        if (observers.isEmpty()) {
            return;
        }
        for (Difference<Fact> difference : differences) {
            Fact fact = difference.latest();
            if (fact.name() instanceof Keys.Name.OfWorker of) {
                registrationChanged(of.workerId(), difference);
            } else if (fact.name() instanceof Keys.Name.OfCordon of) {
                observer.worker(of.workerId()).ifPresent(view -> observers.tell(view, ChangeReason.UPDATED));
            }
        }
    }

    private void registrationChanged(String workerId, Difference<Fact> difference) {
        if (difference.after().isPresent()) {
            ChangeReason reason = difference.before().isPresent() ? ChangeReason.UPDATED : ChangeReason.ADDED;
            observer.worker(workerId).ifPresent(view -> observers.tell(view, reason));
            return;
        }
        difference
                .before()
                .flatMap(entry -> entry.value().value())
                .map(Worker.class::cast)
                .ifPresent(worker ->
                        observers.tell(new WorkerView(worker, false, 0, Optional.empty()), ChangeReason.DELETED));
    }
}
