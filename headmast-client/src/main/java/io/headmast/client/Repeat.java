// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

/** Whether a call may be sent again when nobody knows what became of it. */
enum Repeat {
    /** It changes nothing. */
    READ,
    /** It changes something; sent twice it changes no more than sent once. */
    IDEMPOTENT,
    /** It may be sent again only if it was never sent. */
    ONCE
}
