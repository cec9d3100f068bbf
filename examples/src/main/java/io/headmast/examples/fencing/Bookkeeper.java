// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.fencing;

import io.headmast.worker.JobContext;
import io.headmast.worker.JobHandler;
import java.io.IOException;
import java.time.Duration;

/** Adds one to the account that bears its job's id, again and again, and says with each write which run it is. */
final class Bookkeeper implements JobHandler {
    private final Ledger ledger;
    private final Duration pause;

    Bookkeeper(Ledger ledger, Duration pause) {
        this.ledger = ledger;
        this.pause = pause;
    }

    /** @throws IllegalStateException if a later run has written meanwhile */
    @Override
    public void run(JobContext context) throws IOException, InterruptedException {
        String account = context.job().id();
        do {
            if (!ledger.book(account, context.epoch(), 1)) {
                throw new IllegalStateException("refused account=" + account + " epoch=" + context.epoch() + " owner="
                        + ledger.account(account).epoch());
            }
        } while (!context.awaitCancellation(pause));
    }
}
