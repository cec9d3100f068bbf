// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/**
 * What headmast was made for: an application that runs many small rule chains, each a job whose payload describes it.
 */
@NullMarked
package io.headmast.examples.rulechain;

import org.jspecify.annotations.NullMarked;
