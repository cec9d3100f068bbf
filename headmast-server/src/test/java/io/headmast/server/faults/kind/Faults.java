// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import java.util.List;

/** Every fault there is. */
public final class Faults {
    public static final List<Fault> ALL = List.of(
            new KillWorker(),
            new KillLeader(),
            new FreezeWorker(),
            new FreezeLeader(),
            new CutConnections(),
            new DelayAnswers(),
            new HoldRequests(),
            new HoldAnswers(),
            new KillEtcd(),
            new FreezeEtcd(),
            new KillMember(),
            new FreezeMember(),
            new LoseQuorum(),
            new MoveEtcdLeader(),
            new CompactHistory(),
            new FillStore(),
            new SlowDisk(),
            new StepClock());

    private Faults() {}
}
