// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.EtcdServer;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** One member of etcd ends without a word, the leader more often than not, and comes back. */
final class KillMember implements Fault {
    @Override
    public String name() {
        return "kill-member";
    }

    @Override
    public boolean suits(Members etcd) {
        return etcd.areSeveral();
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(1, 12);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        if (!stage.takeStore()) {
            return Optional.empty();
        }
        EtcdServer member = stage.etcd().some(random);
        member.kill9();
        return Optional.of(new Occurrence(
                stage, Stage.STORE, () -> Members.revive(List.of(member)), after -> after.clientsFelt(FELT)));
    }
}
