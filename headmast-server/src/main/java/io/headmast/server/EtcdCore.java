// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.HeadmastException;
import java.net.URI;

/** Wires a server's core over etcd. The only class of the server that knows the etcd adapter. */
final class EtcdCore {
    private EtcdCore() {}

    /** See {@link Core.Factory#open}. */
    @SuppressWarnings("DoNotCallSuggester")
    static Core open(ServingOptions options, URI address) {
        throw new HeadmastException.Unavailable("can't reach etcd at " + options.etcdEndpoints() + " for " + address
                + "; start it there, or name its addresses (--etcd-endpoints)");
    }
}
