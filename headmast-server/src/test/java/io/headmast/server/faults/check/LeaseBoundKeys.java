// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.WatchEvent;
import java.util.List;
import java.util.function.Consumer;

/**
 * Whatever is put below a worker is on the lease of that worker's registration, and goes away with it at one revision.
 * So does the leader key with the announcement of its server.
 */
final class LeaseBoundKeys extends StepCheck {
    @Override
    public String name() {
        return "lease-bound-keys";
    }

    @Override
    void look(StoreStep step, Consumer<String> report) {
        for (WatchEvent change : step.changes()) {
            step.name(change.key()).ifPresent(name -> {
                if (change instanceof WatchEvent.Put put) {
                    put(step, name, put.current(), report);
                } else {
                    deleted(step, name, report);
                }
            });
        }
    }

    private static void put(StoreStep step, Keys.Name name, KeyValue item, Consumer<String> report) {
        if (name instanceof Keys.Name.OfAssignment of) {
            bound(step, item, step.keys().worker(of.workerId()), report);
        } else if (name instanceof Keys.Name.OfKiller of) {
            bound(step, item, step.keys().worker(of.workerId()), report);
        } else if (name instanceof Keys.Name.Leader || name instanceof Keys.Name.OfWorker) {
            if (item.lease() == 0) {
                report.accept(item.key() + " was put on no lease");
            }
        }
    }

    private static void bound(StoreStep step, KeyValue item, String to, Consumer<String> report) {
        long lease = step.after().get(to).map(KeyValue::lease).orElse(0L);
        if (item.lease() == 0 || item.lease() != lease) {
            report.accept(item.key() + " was put on lease " + Long.toHexString(item.lease()) + ", and " + to
                    + " is on lease " + Long.toHexString(lease));
        }
    }

    private static void deleted(StoreStep step, Keys.Name name, Consumer<String> report) {
        if (name instanceof Keys.Name.OfWorker of) {
            List<KeyValue> left = step.after().under(step.keys().workerTree(of.workerId()));
            if (!left.isEmpty()) {
                report.accept("worker " + of.workerId() + " is gone, and left are " + left);
            }
        } else if (name instanceof Keys.Name.OfServer of) {
            step.before().get(step.keys().server(of.serverId())).ifPresent(server -> {
                if (step.after()
                        .get(step.keys().leader())
                        .filter(leader -> leader.lease() == server.lease())
                        .isPresent()) {
                    report.accept("server " + of.serverId() + " is gone, and still leads");
                }
            });
        }
    }
}
