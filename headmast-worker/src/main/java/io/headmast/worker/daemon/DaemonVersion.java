// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version that the jar was built as. */
public final class DaemonVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {
            "headmast "
                    + Optional.ofNullable(DaemonVersion.class.getPackage().getImplementationVersion())
                            .orElse("(unpackaged)")
        };
    }
}
