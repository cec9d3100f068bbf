// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.fault;

import io.headmast.sim.cluster.ClusterProcess;
import io.headmast.sim.cluster.Weather;
import io.headmast.sim.cluster.World;
import java.time.Duration;
import java.util.function.Consumer;

/** For a while the way between a process and the store is bad in some respect. */
record BadWeather(String name, Consumer<Weather> begin, Consumer<Weather> end, Duration least, Duration most)
        implements Fault {
    private static final int LOST_PER_MILLE = 300;
    private static final int REPEATED_PER_MILLE = 500;
    private static final Duration LATENESS = Duration.ofSeconds(2);

    /** Requests and answers are lost, or come long after the process gave up. */
    static final Fault CALLS_LOST =
            forLong("calls lost", weather -> weather.loseCalls(LOST_PER_MILLE), weather -> weather.loseCalls(0));

    /** Watches bring everything late. */
    static final Fault EVENTS_LATE = forLong(
            "events late", weather -> weather.delayEvents(LATENESS), weather -> weather.delayEvents(Duration.ZERO));

    /** Watches bring much of it twice. */
    static final Fault EVENTS_REPEATED = forLong(
            "events repeated", weather -> weather.repeatEvents(REPEATED_PER_MILLE), weather -> weather.repeatEvents(0));

    /** Whatever is asked for comes to the store long after the process gave up, and is carried out then. */
    static final Fault REQUESTS_LATE = new BadWeather(
            "requests late",
            weather -> weather.delayRequests(true),
            weather -> weather.delayRequests(false),
            Duration.ofMillis(100),
            World.TTL.dividedBy(2));

    private static Fault forLong(String name, Consumer<Weather> begin, Consumer<Weather> end) {
        return new BadWeather(name, begin, end, Duration.ofMillis(500), World.TTL.multipliedBy(2));
    }

    @Override
    public boolean strike(World world) {
        ClusterProcess process = Victim.among(world, ClusterProcess::isUp);
        if (process == null) {
            return false;
        }
        world.note(process.id(), name);
        begin.accept(process.weather());
        world.later(world.between(least, most), () -> end.accept(process.weather()));
        return true;
    }
}
