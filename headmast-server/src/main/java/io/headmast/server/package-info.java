// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * The service that schedules: it competes for leadership, runs the scheduling loop while it leads, and answers the
 * REST API whether it leads or not.
 *
 * <p>Any number of servers may run on one store; at most one of them commits plans. The state is in the store alone, so
 * a server may be killed at any moment and loses nothing that it has acknowledged.
 */
@NullMarked
package io.headmast.server;

import org.jspecify.annotations.NullMarked;
