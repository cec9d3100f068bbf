// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.docs;

import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.LifecycleHandler;
import java.util.Map;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

@Component
class HeadmastLifecycle implements SmartLifecycle {
    private final HeadmastWorker.Builder builder;
    private volatile HeadmastWorker worker;

    /** The handlers are beans, too: the name of each is the domain that it serves. */
    HeadmastLifecycle(HeadmastWorker.Builder builder, Map<String, LifecycleHandler> handlers) {
        this.builder = builder;
        handlers.forEach(builder::handler);
    }

    @Override
    public void start() {
        worker = builder.start();
    }

    @Override
    public void stop() {
        worker.close();
        worker = null;
    }

    /** For Spring; not the worker's health, which changes with etcd's. */
    @Override
    public boolean isRunning() {
        return worker != null;
    }

    HeadmastWorker worker() {
        return worker;
    }
}
