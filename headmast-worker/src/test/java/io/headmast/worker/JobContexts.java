// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Job;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Contexts of runs that a test starts and cancels by itself, for the tests of other packages. */
public final class JobContexts {
    private final AtomicBoolean leaseIsSafe = new AtomicBoolean(true);
    private final JobContext context;

    public JobContexts(Job job, long epoch) {
        context = new JobContext(
                new JobContext.Run(job, "w", epoch, 1),
                leaseIsSafe::get,
                new JobContext.Signals(text -> {}, ending -> {}));
    }

    public JobContext context() {
        return context;
    }

    public void cancel(String reason) {
        context.cancel(reason);
    }

    public void loseLease() {
        leaseIsSafe.set(false);
    }

    public Optional<Integer> exitCode() {
        return context.exitCode();
    }
}
