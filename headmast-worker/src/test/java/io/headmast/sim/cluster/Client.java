// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.cluster;

import io.headmast.api.HeadmastException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/** Gives orders to servers, and remembers what it was told. */
public final class Client {
    private final World world;
    private long asked;

    Client(World world) {
        this.world = world;
    }

    /**
     * Sends an order to some server; whether one is up.
     *
     * @param text what it says, for people
     */
    public boolean ask(
            String jobId, Asked.Intent intent, String text, Function<ServerProcess, CompletableFuture<?>> order) {
        List<ServerProcess> up =
                world.servers().stream().filter(ClusterProcess::isUp).toList();
        if (up.isEmpty()) {
            return false;
        }
        ServerProcess server = world.any(up);
        Asked asking = new Asked(++asked, jobId, intent, world.time().nanoTime());
        world.note("client", "asks ", server, " to ", text, " ", jobId);
        world.happened(listener -> listener.asked(asking));
        server.answersTo(asking);
        var unused = order.apply(server).whenComplete((done, failure) -> {
            server.answered(asking);
            answered(asking, failure == null ? Asked.Outcome.ACKNOWLEDGED : outcome(failure));
            world.note("client", "is told ", failure == null ? "done" : cause(failure), ": ", text, " ", jobId);
        });
        return true;
    }

    /** Its server has ended without an answer. */
    void unanswered(Asked asking) {
        answered(asking, Asked.Outcome.UNKNOWN);
    }

    private void answered(Asked asking, Asked.Outcome outcome) {
        asking.answered(outcome, world.time().nanoTime());
        world.tally().effect("order " + outcome.name().toLowerCase(java.util.Locale.ROOT));
        world.happened(listener -> listener.answered(asking));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private static Asked.Outcome outcome(Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof HeadmastException.Indeterminate) {
            return Asked.Outcome.UNKNOWN;
        }
        if (cause instanceof HeadmastException) {
            return Asked.Outcome.REFUSED;
        }
        throw new IllegalStateException("an order failed as none may", cause);
    }
}
