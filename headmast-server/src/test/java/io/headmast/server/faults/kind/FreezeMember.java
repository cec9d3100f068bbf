// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.EtcdServer;
import java.util.Optional;
import java.util.Random;

/** One member of etcd stands still, the leader more often than not; its connections stay open. */
final class FreezeMember implements Fault {
    @Override
    public String name() {
        return "freeze-member";
    }

    @Override
    public boolean suits(Members etcd) {
        return etcd.areSeveral();
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(2, 12);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        if (!stage.takeStore()) {
            return Optional.empty();
        }
        EtcdServer member = stage.etcd().some(random);
        member.pause();
        return Optional.of(new Occurrence(
                stage,
                Stage.STORE,
                () -> {
                    member.resume();
                    member.awaitHealth();
                },
                after -> after.clientsFelt(FELT)));
    }
}
