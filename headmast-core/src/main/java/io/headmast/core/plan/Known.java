// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import java.util.Optional;

/**
 * A key that exists, as planning sees it.
 *
 * @param value empty when it can't be read: then nothing is decided that depends on it
 * @param lease the lease it goes away with, 0 for none
 */
public record Known<T>(Optional<T> value, long createRevision, long modRevision, long lease) {}
