// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.docs;

import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.WorkerContext;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;

@ApplicationScoped
class QuarkusLifecycle {
    @Inject
    OrderChains chains;

    private HeadmastWorker worker;

    void onStart(@Observes StartupEvent event) {
        worker = HeadmastWorker.builder(WorkerContext.builder().build())
                .handler("orders", chains)
                .start();
    }

    void onStop(@Observes ShutdownEvent event) {
        worker.close();
    }
}
