// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import java.util.List;

/** Every fault there is. */
public final class Faults {
    public static final List<Fault> ALL = List.of(
            new Crash(),
            new CrashAtCall(),
            new Leave(),
            new Standstill(0.5),
            new Standstill(1),
            new Standstill(3),
            new Partition("cut off", true, true),
            new Partition("requests cut off", true, false),
            new Partition("answers cut off", false, true),
            BadWeather.CALLS_LOST,
            BadWeather.REQUESTS_LATE,
            new StoreUnavailable(),
            BadWeather.EVENTS_LATE,
            BadWeather.EVENTS_REPEATED,
            new WatchesBroken(),
            new WatchesCutWhenCreated(),
            new EventsLost(),
            new Compaction(),
            new LeaseRevoked(),
            new LeasesProlonged(),
            new WallClockStep(),
            new StubbornHandlers(),
            new AgentStall(),
            new OldKillOrder());

    private Faults() {}
}
