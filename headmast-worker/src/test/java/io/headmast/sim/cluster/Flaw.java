// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.core.loop.EventLoop;
import io.headmast.core.mirror.MirrorOptions;
import io.headmast.core.store.KeyValueStore;
import io.headmast.worker.UnitFlaw;

/** How what a world is made of differs from production: not at all, or by one planted bug. */
public interface Flaw {
    Flaw NONE = new Flaw() {};

    /** What a process sees of the store. */
    default KeyValueStore store(ClusterProcess process, KeyValueStore store) {
        return store;
    }

    /** How mirrors follow the store. */
    default MirrorOptions mirror(MirrorOptions options) {
        return options;
    }

    /** What a process takes its time from. */
    default EventLoop loop(ClusterProcess process, EventLoop loop) {
        return loop;
    }

    /** What workers run jobs by. */
    default UnitFlaw units() {
        return UnitFlaw.NONE;
    }
}
