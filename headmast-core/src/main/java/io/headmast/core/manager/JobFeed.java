// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

import io.headmast.api.JobPath;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * The changes of jobs, revision by revision. What changed at a revision follows from the store's history alone, so any
 * server tells the same, before and after a restart, and a watch can be taken up anywhere at the revision where it was
 * left. Thread-safe.
 */
public interface JobFeed {
    /**
     * Watches from a revision on.
     *
     * @param after the changes of later revisions are told; those from now on if it is empty
     * @return fails with {@code Gone} when the store doesn't have the revisions in between any more, and with {@code
     *     Invalid} when it isn't there yet
     */
    CompletableFuture<JobWatch> watch(JobPath path, OptionalLong after);
}
