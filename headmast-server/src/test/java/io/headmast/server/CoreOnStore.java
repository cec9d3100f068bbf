// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.core.store.KeyValueStore;

/** Opens services on a store that the test made; they close it. */
public final class CoreOnStore {
    private CoreOnStore() {}

    public static HeadmastService service(ServingOptions options, KeyValueStore store) {
        return new HeadmastService(
                options, (same, address) -> StoreCore.on(store, same, address).closing(store::close));
    }
}
