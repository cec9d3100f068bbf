// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import java.util.Objects;

/** The entry of the runnable jar. */
public final class Main {
    private Main() {}

    /**
     * Prints the version.
     *
     * @param args {@code --version}
     */
    public static void main(String[] args) {
        String version = Main.class.getPackage().getImplementationVersion();
        System.out.println("headmast-worker " + Objects.requireNonNullElse(version, "(unpackaged)"));
    }
}
