// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.agent;

/**
 * One life of a worker's registration: everything it does, it does on this lease.
 *
 * @param lease the lease that registration and assignments are on
 * @param registration the registration's create revision
 * @param begunAt the revision at which this incarnation registered. Assignments older than that belonged to a
 *     predecessor whose lease was adopted.
 */
public record Session(String workerId, long lease, long registration, long begunAt) {}
