// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version that the jar was built as. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "headmast "
                    + Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                            .orElse("(unpackaged)")
        };
    }
}
