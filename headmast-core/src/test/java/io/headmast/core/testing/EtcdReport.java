// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/** Says at the end of a run what did not run for want of an etcd, so that a green run is not taken for a complete one. */
public final class EtcdReport implements TestExecutionListener {
    private final AtomicInteger skipped = new AtomicInteger();

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() == TestExecutionResult.Status.ABORTED
                && result.getThrowable()
                        .filter(reason -> String.valueOf(reason.getMessage()).contains(EtcdHost.NO_ETCD))
                        .isPresent()) {
            skipped.incrementAndGet();
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (skipped.get() > 0) {
            System.out.println("NOT RUN: " + skipped + " test classes or tests, each " + EtcdHost.NO_ETCD
                    + "; name a binary in HEADMAST_TEST_ETCD");
        }
    }
}
