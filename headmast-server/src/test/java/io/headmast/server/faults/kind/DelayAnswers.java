// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.CuttingProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Whatever the store answers to a process comes late: a little to a server, too late to be of use to a worker. */
final class DelayAnswers implements Fault {
    private static final Duration FOR_A_SERVER = Duration.ofMillis(700);
    private static final Duration FOR_A_WORKER = Duration.ofMillis(4_500);

    @Override
    public String name() {
        return "delay-answers";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(4, 12);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {
        return stage.take(Stage.BEHIND_PROXIES, random).map(process -> {
            Duration delay = Stage.WORKERS.contains(process) ? FOR_A_WORKER : FOR_A_SERVER;
            List<CuttingProxy> proxies = stage.proxies().get(process);
            proxies.forEach(proxy -> proxy.delay(delay));
            return new Occurrence(
                    stage, process, () -> proxies.forEach(CuttingProxy::release), OneWay.felt(process, delay));
        });
    }
}
