// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.EtcdServer;
import java.util.Optional;
import java.util.Random;

/** All of etcd stands still; its connections stay open. */
final class FreezeEtcd implements Fault {
    @Override
    public String name() {
        return "freeze-etcd";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(1, 8);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        if (!stage.takeStore()) {
            return Optional.empty();
        }
        stage.etcd().all().forEach(EtcdServer::pause);
        return Optional.of(new Occurrence(
                stage,
                Stage.STORE,
                () -> {
                    stage.etcd().all().forEach(EtcdServer::resume);
                    stage.etcd().all().forEach(EtcdServer::awaitHealth);
                },
                after -> after.clientsFelt(FELT)));
    }
}
