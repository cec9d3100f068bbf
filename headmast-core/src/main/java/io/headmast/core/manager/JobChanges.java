// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.JobPath;
import io.headmast.api.JobView;
import io.headmast.core.mirror.Difference;
import io.headmast.core.plan.Observer;
import io.headmast.core.schedule.ClusterMirror;
import io.headmast.core.schedule.Fact;
import java.util.List;

/** Turns what changed in the mirror into what job observers are told, once per job and move of the mirror. */
final class JobChanges implements ClusterMirror.Listener {
    private final Observer observer;
    private final Observers<JobView> observers;

    JobChanges(Observer observer, Observers<JobView> observers) {
        this.observer = observer;
        this.observers = observers;
    }

    @Override
    public void moved(List<Difference<Fact>> differences) {
        if (observers.isEmpty()) {
            return;
        }
        for (JobEvent event : JobEvent.of(observer.look(), differences)) {
            event.on(JobPath.ALL).ifPresent(change -> observers.tell(change.job(), change.reason()));
        }
    }
}
