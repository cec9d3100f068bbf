// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.core.mirror.MirrorOptions;
import java.time.Duration;

/** Mirrors never list again without a cause. */
final class ResyncSkipped implements PlantedBug {
    @Override
    public String name() {
        return "skipped resync";
    }

    @Override
    public MirrorOptions mirror(MirrorOptions options) {
        return new MirrorOptions(Duration.ofDays(1000), options.silenceLimit(), options.random());
    }
}
