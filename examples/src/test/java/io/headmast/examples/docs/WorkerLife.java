// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.docs;

import io.headmast.api.Payload;
import io.headmast.worker.HeadmastWorker;
import io.headmast.worker.WorkerContext;
import java.time.Duration;

/** A worker of a host that has alarms, from its start to its end. */
final class WorkerLife {
    private WorkerLife() {}

    /** Stands for what tells the people in charge. */
    interface Alarms {
        void raise(String source, String reason);
    }

    static void live(Alarms alarms, Runnable meanwhile) {
        HeadmastWorker worker = HeadmastWorker.builder(WorkerContext.builder()
                        .etcdEndpoints("http://etcd-1:2379", "http://etcd-2:2379", "http://etcd-3:2379")
                        .workerId("orders-1")
                        .capacity(500)
                        .build())
                .handler("orders", new OrderChains())
                .onOwnershipLost(reason -> alarms.raise("headmast", reason))
                .start();
        meanwhile.run();
        worker.close();
    }

    /** Stands for what is polled. */
    interface Source {
        void poll(Payload what, long epoch) throws Exception;
    }

    static HeadmastWorker.Builder polling(HeadmastWorker.Builder builder, Source source) {
        return builder.handler("polls", context -> {
            do {
                source.poll(context.job().payload(), context.epoch());
            } while (!context.awaitCancellation(Duration.ofSeconds(30)));
        });
    }
}
