// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.fencing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.Job;
import io.headmast.api.JobView;
import io.headmast.api.Phase;
import io.headmast.core.testing.Await;
import io.headmast.examples.testing.InMemoryHeadmast;
import io.headmast.worker.JobHandler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The case that no scheduler can rule out: a run that goes on after its job was given to another worker. */
class StaleOwnerTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Job ACCOUNT =
            Job.builder().id("account-7").domain("accounts").build();

    @TempDir
    Path directory;

    private final CountDownLatch thaw = new CountDownLatch(1);
    private final CompletableFuture<String> refusal = new CompletableFuture<>();

    @Test
    void whatAFrozenOwnerWritesAfterItsSuccessorIsRefused() throws IOException {
        Ledger ledger = new Ledger(directory);
        Bookkeeper bookkeeper = new Bookkeeper(ledger, Duration.ofMillis(10));
        try (InMemoryHeadmast headmast = new InMemoryHeadmast()) {
            headmast.worker("w1", "accounts", frozen(bookkeeper));
            long stale = headmast.running(ACCOUNT).state().epoch();
            assertTrue(ledger.book(ACCOUNT.id(), stale, 1), "it still owns the account");

            headmast.worker("w2", "accounts", bookkeeper);
            headmast.lapse("w1");
            Await.until("w2 has booked", LIMIT, () -> epochIn(ledger) > stale);
            JobView moved = headmast.await(
                    ACCOUNT.id(),
                    state -> state.phase() == Phase.RUNNING && state.worker().equals(Optional.of("w2")));
            thaw.countDown();

            assertEquals(Optional.of("w2"), moved.state().worker());
            assertEquals(moved.state().epoch(), epochIn(ledger));
            assertEquals(
                    "refused account=account-7 epoch=" + stale + " owner="
                            + moved.state().epoch(),
                    Await.value(refusal, LIMIT));
        } finally {
            thaw.countDown();
        }
    }

    /** Hears nothing, not even that it must stop, until it thaws; then it writes on as if nothing had happened. */
    private JobHandler frozen(Bookkeeper bookkeeper) {
        return context -> {
            awaitDeaf();
            refusal.complete(assertThrows(IllegalStateException.class, () -> bookkeeper.run(context))
                    .getMessage());
        };
    }

    private void awaitDeaf() {
        while (true) {
            try {
                thaw.await();
                return;
            } catch (InterruptedException e) {
                // That is what being frozen means.
            }
        }
    }

    private static long epochIn(Ledger ledger) {
        try {
            return ledger.account(ACCOUNT.id()).epoch();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
