// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import java.util.List;

/** One thing that must hold of every run. Pure. */
interface Check {
    /** A word for reports. */
    String name();

    /**
     * Every breach that the evidence shows.
     *
     * @throws Inconclusive if the evidence doesn't suffice
     */
    List<String> violations(Evidence evidence);
}
