// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store;

import java.util.UUID;

/** What every store must do, whatever it is made of. A subclass brings the store, and a way to wait for it. */
public abstract class StoreContract
        implements RangeContract, TxnContract, TxnLimitsContract, LeaseContract, WatchContract {
    private final String prefix = "contract/" + UUID.randomUUID() + "/";

    @Override
    public String prefix() {
        return prefix;
    }
}
