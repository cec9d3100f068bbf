// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.memory;

import java.util.List;

/** A transaction with everything that etcd's API has. The engine knows no other; the port's is a part of it. */
public record EtcdTxn(List<EtcdCompare> compares, List<EtcdOp> success, List<EtcdOp> failure) {
    public EtcdTxn {
        compares = List.copyOf(compares);
        success = List.copyOf(success);
        failure = List.copyOf(failure);
    }

    /** One operation without any condition. */
    public static EtcdTxn of(EtcdOp operation) {
        return new EtcdTxn(List.of(), List.of(operation), List.of());
    }
}
