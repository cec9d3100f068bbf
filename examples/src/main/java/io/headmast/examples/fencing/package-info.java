// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** A resource that refuses the writes of whoever is not a job's owner any more. */
@NullMarked
package io.headmast.examples.fencing;

import org.jspecify.annotations.NullMarked;
