// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.EtcdServer;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Two members of three end without a word, and come back. */
final class LoseQuorum implements Fault {
    @Override
    public String name() {
        return "lose-quorum";
    }

    @Override
    public boolean suits(Members etcd) {
        return etcd.areSeveral();
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
        List<EtcdServer> lost = stage.etcd().all().subList(1, stage.etcd().all().size());
        lost.forEach(EtcdServer::kill9);
        return Optional.of(
                new Occurrence(stage, Stage.STORE, () -> Members.revive(lost), after -> after.clientsFelt(FELT)));
    }
}
