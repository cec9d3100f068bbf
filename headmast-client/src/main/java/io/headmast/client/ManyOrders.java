// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobOrder;
import io.headmast.api.JobOutcome;
import io.headmast.api.JobOutcomes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An order to many jobs on its way, call after call, until all had their turn. Cancelling its result stops it. */
final class ManyOrders {
    private final Transport transport;
    private final List<JobOutcome> outcomes = new ArrayList<>();
    private final CompletableFuture<List<JobOutcome>> result = new CompletableFuture<>();
    private volatile @Nullable CompletableFuture<?> pending;

    private ManyOrders(Transport transport) {
        this.transport = transport;
    }

    /** When a call fails, the failure says how many jobs had their outcome before. */
    static CompletableFuture<List<JobOutcome>> send(Transport transport, JobOrder order) {
        ManyOrders many = new ManyOrders(transport);
        Continuations.onSettled(many.result, (value, failure) -> many.giveUpPending());
        many.call(order);
        return many.result;
    }

    /** The calls follow one another, so the list needs no lock; each is handed over by the future before it. */
    private void call(JobOrder order) {
        CompletableFuture<JobOutcomes> answer = transport.send(JobCalls.controlMany(order));
        pending = answer;
        if (result.isDone()) {
            giveUpPending();
        }
        Continuations.onSettled(answer, (page, failure) -> {
            if (failure != null) {
                result.completeExceptionally(after(order, failure));
            } else {
                goOn(order, page);
            }
        });
    }

    private void goOn(JobOrder order, JobOutcomes page) {
        outcomes.addAll(page.items());
        if (page.next().isEmpty()) {
            result.complete(List.copyOf(outcomes));
        } else if (page.next().equals(order.cursor())) {
            result.completeExceptionally(
                    after(order, new HeadmastException.Internal("the server's list of outcomes does not move on")));
        } else if (!result.isDone()) {
            call(order.from(page.next().get()));
        }
    }

    private Throwable after(JobOrder order, Throwable failure) {
        Throwable cause = Continuations.causeOf(failure);
        if (outcomes.isEmpty() || !(cause instanceof HeadmastException expected)) {
            return cause;
        }
        long done = outcomes.stream().filter(JobOutcome::isDone).count();
        HeadmastException more = HeadmastException.of(
                expected.type(),
                expected.httpStatus(),
                expected.detail() + " (" + outcomes.size() + " jobs had their outcome before, up to "
                        + order.cursor().orElse("") + "; of " + done + " of them the order was carried out)",
                expected.field().orElse(null));
        more.initCause(expected);
        return more;
    }

    private void giveUpPending() {
        CompletableFuture<?> step = pending;
        if (step != null) {
            step.cancel(true);
        }
    }
}
