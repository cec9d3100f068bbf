// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker;

import io.headmast.api.Assignment;
import io.headmast.api.HeadmastException;
import io.headmast.api.Keys;
import io.headmast.api.KillOrder;
import io.headmast.api.json.Json;
import io.headmast.core.mirror.Projection;
import io.headmast.core.store.KeyValue;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an agent keeps of a key: an assignment or a kill order, without a value if that can't be read. */
record AgentProjection(Keys keys) implements Projection<Optional<?>> {
    private static final Logger LOG = LoggerFactory.getLogger(AgentProjection.class);

    @Override
    public Optional<Optional<?>> project(KeyValue item) {
        Optional<Keys.Name> name = keys.parse(item.key());
        boolean known = name.filter(
                        found -> found instanceof Keys.Name.OfAssignment || found instanceof Keys.Name.OfKiller)
                .isPresent();
        if (!known) {
            return Optional.empty();
        }
        try {
            var json = Json.parseObject(item.value().toByteArray());
            return Optional.of(Optional.of(
                    name.get() instanceof Keys.Name.OfKiller ? KillOrder.fromJson(json) : Assignment.fromJson(json)));
        } catch (HeadmastException.Invalid e) {
            LOG.warn("corrupt value is skipped key={} problem={}", item.key(), Json.quote(e.detail()));
            return Optional.of(Optional.empty());
        }
    }
}
