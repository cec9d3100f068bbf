// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

/** The evidence doesn't suffice for a verdict: the run doesn't count, for or against. */
public final class Inconclusive extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public Inconclusive(String why) {
        super(why);
    }
}
