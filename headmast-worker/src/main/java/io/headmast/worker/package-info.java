// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * The worker: it announces itself, takes the jobs assigned to it, runs them through handlers or processes, and
 * reports their state.
 *
 * <p>A worker runs embedded in a host application or as a daemon of its own. Nothing happens before it is started, and
 * closing it ends its threads and gives its jobs back. A worker that loses its lease stops its jobs by itself.
 */
@NullMarked
package io.headmast.worker;

import org.jspecify.annotations.NullMarked;
