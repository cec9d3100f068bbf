// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import java.util.function.Predicate;

/**
 * The trouble of one target, which is free for others once it has ended.
 *
 * @param ending what ends it
 * @param bite how to see that somebody felt it
 */
record Occurrence(Stage stage, String target, Runnable ending, Predicate<Aftermath> bite) implements Trouble {
    @Override
    public void end() {
        try {
            ending.run();
        } finally {
            stage.giveBack(target);
        }
    }

    @Override
    public boolean bit(Aftermath aftermath) {
        return bite.test(aftermath);
    }
}
