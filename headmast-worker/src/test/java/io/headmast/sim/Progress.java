// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim;

import java.io.PrintStream;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Tells how far a campaign is, now and then, and stops it when its time is over. */
final class Progress {
    private static final int EVERY_SECONDS = 10;

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Campaign campaign;
    private final OptionalLong limitNanos;
    private final PrintStream out;
    private final long begun = System.nanoTime();

    Progress(Campaign campaign, OptionalLong limitNanos, PrintStream out) {
        this.campaign = campaign;
        this.limitNanos = limitNanos;
        this.out = out;
    }

    void start() {
        var unused = timer.scheduleAtFixedRate(this::tell, EVERY_SECONDS, EVERY_SECONDS, TimeUnit.SECONDS);
        limitNanos.ifPresent(limit -> {
            var unusedStop = timer.schedule(campaign::stop, limit, TimeUnit.NANOSECONDS);
        });
    }

    void end() {
        timer.shutdownNow();
        tell();
    }

    private void tell() {
        double seconds = (System.nanoTime() - begun) / 1e9;
        out.printf(
                "%,d seeds in %.0f s (%.1f a second), %,d events, %d violated%n",
                campaign.seeds(),
                seconds,
                campaign.seeds() / seconds,
                campaign.events(),
                campaign.violated().size());
    }
}
