// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.docs;

import io.headmast.worker.JobContext;
import io.headmast.worker.LifecycleHandler;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** Stands for the handler of a reader: it knows what is started and not stopped. */
@ApplicationScoped
class OrderChains implements LifecycleHandler {
    private final Set<String> running = Collections.synchronizedSet(new TreeSet<>());

    @Override
    public void start(JobContext context) {
        running.add(context.job().id());
    }

    @Override
    public void stop(JobContext context) {
        running.remove(context.job().id());
    }

    Set<String> running() {
        return Set.copyOf(running);
    }
}
