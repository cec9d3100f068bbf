// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import io.headmast.api.Cordon;
import io.headmast.api.Job;
import io.headmast.api.Machine;
import io.headmast.api.Server;
import io.headmast.api.Worker;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/** Small valid values in which only what a test is about is said. */
public final class Samples {
    private static final Machine MACHINE = new Machine("m", "host", "", Map.of(), "1", 2, 0);

    private Samples() {}

    public static Job job(String id) {
        return Job.builder().id(id).build();
    }

    /** A worker without limits that serves every domain. */
    public static Worker worker(String id) {
        return worker(id, Set.of(), OptionalLong.empty());
    }

    public static Worker worker(String id, long capacity) {
        return worker(id, Set.of(), OptionalLong.of(capacity));
    }

    public static Worker serving(String id, String... domains) {
        return worker(id, Set.of(domains), OptionalLong.empty());
    }

    public static Worker worker(String id, Set<String> domains, OptionalLong capacity) {
        return worker(id, domains, capacity, OptionalDouble.empty());
    }

    public static Worker worker(String id, Set<String> domains, OptionalLong capacity, OptionalDouble load) {
        return new Worker(
                id, "i-" + id, "", MACHINE, domains, capacity, load, false, Instant.EPOCH, List.of(), List.of());
    }

    public static Cordon cordon() {
        return new Cordon(Cordon.Mode.CORDON, "test", "", Instant.EPOCH);
    }

    public static Cordon drain(String reason) {
        return new Cordon(Cordon.Mode.DRAIN, "test", reason, Instant.EPOCH);
    }

    public static Server server(String id) {
        return new Server(id, "i-" + id, "http://" + id, Instant.EPOCH);
    }
}
