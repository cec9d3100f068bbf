// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * Clusters of real processes on a real etcd, under load and faults. Everything is written down while they run and judged
 * afterwards: {@code kind} holds the faults, {@code check} the judgements, this package what runs and records.
 */
@NullMarked
package io.headmast.server.faults;

import org.jspecify.annotations.NullMarked;
