// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** Which worker gets a job: pure policies over an indexed view of the eligible workers. */
@NullMarked
package io.headmast.core.policy;

import org.jspecify.annotations.NullMarked;
