// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.EtcdServer;
import java.util.Optional;
import java.util.Random;

/** All of etcd ends without a word, and comes back on its data. */
final class KillEtcd implements Fault {
    @Override
    public String name() {
        return "kill-etcd";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(0.5, 8);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        if (!stage.takeStore()) {
            return Optional.empty();
        }
        stage.etcd().all().forEach(EtcdServer::kill9);
        return Optional.of(new Occurrence(
                stage, Stage.STORE, () -> Members.revive(stage.etcd().all()), after -> after.clientsFelt(FELT)));
    }
}
