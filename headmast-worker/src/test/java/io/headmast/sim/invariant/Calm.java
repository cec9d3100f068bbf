// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.invariant;

import io.headmast.sim.cluster.Run;
import io.headmast.sim.cluster.World;

/**
 * Where nothing is to be done nothing is done (G6): once everything runs as it should, nothing is written, started or
 * stopped any more.
 */
final class Calm implements Invariant {
    private final World world;
    private long revision = -1;

    Calm(World world) {
        this.world = world;
    }

    @Override
    public void settled() {
        revision = world.truth().revision();
    }

    @Override
    public void began(Run run) {
        disturbed(run + " begins");
    }

    @Override
    public void ended(Run run) {
        disturbed(run + " ends");
    }

    private void disturbed(String how) {
        if (revision >= 0) {
            world.violated(name(), how + " though nothing was to be done");
        }
    }

    @Override
    public void end() {
        if (world.truth().revision() != revision) {
            world.violated(
                    name(),
                    "something was written between revisions " + revision + " and "
                            + world.truth().revision());
        }
    }
}
