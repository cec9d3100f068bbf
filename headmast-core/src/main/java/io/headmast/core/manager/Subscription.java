// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.manager;

/** An observer's registration. */
public interface Subscription extends AutoCloseable {
    /** No call follows, except one that is under way. */
    @Override
    void close();
}
