// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.EtcdServer;
import java.util.Optional;
import java.util.Random;

/** etcd's leader hands over to another member, in order. */
final class MoveEtcdLeader implements Fault {
    @Override
    public String name() {
        return "move-etcd-leader";
    }

    @Override
    public boolean suits(Members etcd) {
        return etcd.areSeveral();
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(0.5, 2);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {
        if (!stage.takeStore()) {
            return Optional.empty();
        }
        EtcdServer leader = stage.etcd().leader();
        EtcdServer next = stage.etcd().all().stream()
                .filter(member -> member != leader)
                .skip(random.nextInt(stage.etcd().all().size() - 1))
                .findFirst()
                .orElseThrow();
        leader.etcdctl("move-leader", Members.id(next));
        boolean moved = stage.etcd().leader() != leader;
        return Optional.of(new Occurrence(stage, Stage.STORE, () -> {}, after -> moved));
    }
}
