// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim.bug;

import io.headmast.api.Keys;
import io.headmast.core.store.Compare;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** What the transactions of servers and workers look like from outside. */
final class Transactions {
    private static final Keys KEYS = Keys.DEFAULT;

    private Transactions() {}

    /** Whether it carries out steps of a plan, under the leader's fence. */
    static boolean isSteps(Txn txn) {
        return isFenced(txn) && txn.success().stream().allMatch(Op.Nested.class::isInstance);
    }

    private static boolean isFenced(Txn txn) {
        return txn.compares().size() == 1 && txn.compares().get(0).key().equals(KEYS.leader());
    }

    /** The same with each nested transaction changed. */
    static Txn mapNested(Txn txn, UnaryOperator<Txn> change) {
        List<Op> changed = new ArrayList<>();
        for (Op op : txn.success()) {
            changed.add(op instanceof Op.Nested nested ? new Op.Nested(change.apply(nested.txn())) : op);
        }
        return new Txn(txn.compares(), changed, txn.failure());
    }

    /** What a key names. */
    static Optional<Keys.Name> name(String key) {
        return KEYS.parse(key);
    }

    static boolean isAssignment(String key) {
        return name(key).filter(Keys.Name.OfAssignment.class::isInstance).isPresent();
    }

    static boolean isKiller(String key) {
        return name(key).filter(Keys.Name.OfKiller.class::isInstance).isPresent();
    }

    static boolean isJobOrState(String key) {
        return name(key)
                .filter(found -> found instanceof Keys.Name.OfJob || found instanceof Keys.Name.OfState)
                .isPresent();
    }

    static boolean puts(Txn txn, String key) {
        return txn.success().stream()
                .anyMatch(op -> op instanceof Op.Put put && put.key().equals(key));
    }

    static Txn without(Txn txn, Predicate<Compare> dropped) {
        return new Txn(txn.compares().stream().filter(dropped.negate()).toList(), txn.success(), txn.failure());
    }
}
