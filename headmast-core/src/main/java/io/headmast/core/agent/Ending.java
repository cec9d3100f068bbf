// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

import java.util.Optional;

/**
 * How a run's work ended.
 *
 * @param kind by itself, well or badly, because it was told to, or before it began
 * @param reason for people
 * @param exit the exit code of an OS process
 */
public record Ending(Kind kind, String reason, Optional<Integer> exit) {
    /** The ways to end. */
    public enum Kind {
        COMPLETED,
        FAILED,
        /** It was told to stop, whatever it made of that. */
        STOPPED,
        /** It was not begun, for want of room on this worker. */
        REFUSED
    }
}
