// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.CuttingProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/** What can be done to the way between a process and the store, and how to see that it was felt. */
final class OneWay {
    /** Nothing goes one way any more; when it ends, what was held back comes, late as it is. */
    static Optional<Trouble> held(Stage stage, Random random, CuttingProxy.Direction direction) {
        return stage.take(Stage.BEHIND_PROXIES, random).map(process -> {
            List<CuttingProxy> proxies = stage.proxies().get(process);
            proxies.forEach(proxy -> proxy.hold(direction));
            return new Occurrence(
                    stage, process, () -> proxies.forEach(CuttingProxy::release), felt(process, Duration.ofSeconds(1)));
        });
    }

    private OneWay() {}

    /** A worker feels it by its lease, a server by its clients or its own. */
    static Predicate<Aftermath> felt(String process, Duration wait) {
        return Stage.WORKERS.contains(process)
                ? after -> after.registrationChanged(process)
                : after -> after.leaderChanged() || after.clientsFelt(wait);
    }
}
