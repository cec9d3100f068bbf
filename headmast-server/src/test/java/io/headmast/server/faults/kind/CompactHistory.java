// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.CuttingProxy;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * The store forgets its history up to its present revision while a process hears nothing, whose watch then breaks: what
 * it would go on with is gone.
 */
final class CompactHistory implements Fault {
    @Override
    public String name() {
        return "compact";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(1, 2.5);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {
        if (!stage.takeStore()) {
            return Optional.empty();
        }
        Optional<String> deaf = stage.take(Stage.BEHIND_PROXIES, random);
        if (deaf.isEmpty()) {
            stage.giveBack(Stage.STORE);
            return Optional.empty();
        }
        List<CuttingProxy> proxies = stage.proxies().get(deaf.get());
        proxies.forEach(proxy -> proxy.hold(CuttingProxy.Direction.DOWN));
        long before = stage.revision();
        long[] compacted = new long[1];
        return Optional.of(new Occurrence(
                stage,
                Stage.STORE,
                () -> {
                    compacted[0] = stage.compact();
                    proxies.forEach(CuttingProxy::cutAll);
                    proxies.forEach(CuttingProxy::release);
                    stage.giveBack(deaf.get());
                },
                after -> compacted[0] > before));
    }
}
