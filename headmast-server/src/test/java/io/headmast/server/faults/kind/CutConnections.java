// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.kind;

import io.headmast.core.testing.CuttingProxy;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Every connection of a process to the store breaks, twice. */
final class CutConnections implements Fault {
    @Override
    public String name() {
        return "cut";
    }

    @Override
    public Span lasts() {
        return Span.ofSeconds(0.1, 3);
    }

    @Override
    public Optional<Trouble> begin(Stage stage, Random random) {

        return stage.take(Stage.BEHIND_PROXIES, random).map(process -> {
            List<CuttingProxy> proxies = stage.proxies().get(process);
            int cut = proxies.stream().mapToInt(CuttingProxy::open).sum();
            int accepted = proxies.stream().mapToInt(CuttingProxy::accepted).sum();
            proxies.forEach(CuttingProxy::cutAll);
            return new Occurrence(
                    stage,
                    process,
                    () -> proxies.forEach(CuttingProxy::cutAll),
                    after -> cut > 0
                            && proxies.stream().mapToInt(CuttingProxy::accepted).sum() > accepted);
        });
    }
}
