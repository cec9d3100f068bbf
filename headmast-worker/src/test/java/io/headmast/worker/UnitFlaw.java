// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

/** How the units of a simulated worker differ from the production ones: not at all, or by a planted bug. */
public enum UnitFlaw {
    NONE,
    /** A run counts as ended as soon as it is told to stop, so that it is released while it goes on. */
    ENDED_WHEN_TOLD,
    /** A run that was told to stop and has ended is started once more, under the same epoch. */
    STARTED_AGAIN,
    /** Nothing is told to stop because the worker lost its lease. */
    NEVER_FENCED;

    UnitManager of(UnitManager units) {
        return this == NONE ? units : new FlawedUnits(units, this);
    }
}
