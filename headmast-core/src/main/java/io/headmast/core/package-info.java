// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * The scheduler's parts: the door to the store, mirrors that gather, policies and a planner that decide, and a
 * committer that acts in fenced transactions.
 *
 * <p>Deciding packages are pure: time and ids come in as data, and the same input gives the same plan. Nothing starts a
 * thread before it is told to start, and only one package knows the etcd client.
 */
@NullMarked
package io.headmast.core;

import org.jspecify.annotations.NullMarked;
