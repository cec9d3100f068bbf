// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

/** One occurrence of a fault, from when it began. */
public interface Trouble {
    /** Whom it troubles, for reports; nobody else is to be troubled meanwhile who has the same name. */
    String target();

    /** Ends it; what it broke can recover from now on. Called once, also when something fails. */
    void end();

    /** Whether anybody felt it, by what was seen from its beginning until some time after its end. */
    boolean bit(Aftermath aftermath);
}
