// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import io.headmast.api.HeadmastException;
import io.headmast.core.policy.Policies;
import io.headmast.core.policy.SchedulePolicy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The policies by the names that users give: those that come with headmast, and those that {@link ServiceLoader} finds
 * with the thread's context class loader. One that can't be used costs a server its start only if it was asked for.
 */
final class PolicyCatalog {
    private static final String FIELD = "schedulePolicy";

    /** A list of providers that is longer is taken to be no list of providers. */
    private static final int MAX_PROVIDERS = 1_000;

    private final NavigableMap<String, List<SchedulePolicy>> provided = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    private PolicyCatalog() {}

    /** Makes an instance of each policy on the class path. */
    static PolicyCatalog onClassPath() {
        PolicyCatalog catalog = new PolicyCatalog();
        Iterator<SchedulePolicy> providers =
                ServiceLoader.load(SchedulePolicy.class).iterator();
        int tries = 0;
        while (tries < MAX_PROVIDERS && catalog.addNext(providers)) {
            tries++;
        }
        return catalog;
    }

    /** Code of others runs here; whatever it throws is its own failure. */
    private boolean addNext(Iterator<SchedulePolicy> providers) {
        try {
            if (!providers.hasNext()) {
                return false;
            }
            add(providers.next());
        } catch (ServiceConfigurationError e) {
            String prefix = SchedulePolicy.class.getName() + ": ";
            String what = String.valueOf(e.getMessage());
            failures.add((what.startsWith(prefix) ? what.substring(prefix.length()) : what)
                    + (e.getCause() == null ? "" : ": " + e.getCause()));
        }
        return true;
    }

    private void add(SchedulePolicy policy) {
        String className = policy.getClass().getName();
        try {
            String name = Objects.requireNonNull(policy.name(), "its name is null");
            boolean unused = policy.rebalances();
            provided.computeIfAbsent(name, key -> new ArrayList<>()).add(policy);
        } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
            failures.add("Provider " + className + " does not say what it is: " + e);
        }
    }

    /**
     * The policy of that name; what comes with headmast goes before what others bring.
     *
     * @throws HeadmastException.Invalid if there is none, listing those there are, or if two classes claim the name
     */
    SchedulePolicy named(String name) {
        return Policies.builtIn(name).orElseGet(() -> {
            List<SchedulePolicy> found = provided.getOrDefault(name, List.of());
            if (found.size() > 1) {
                throw new HeadmastException.Invalid(
                        FIELD, "must be the name of one policy; " + classes(found) + " are all called " + name);
            }
            return found.stream().findFirst().orElseThrow(() -> unknown());
        });
    }

    private HeadmastException.Invalid unknown() {
        String names = Stream.concat(Policies.BUILT_IN.stream(), provided.keySet().stream())
                .distinct()
                .collect(Collectors.joining(", "));
        String broken =
                failures.isEmpty() ? "" : "; what might be another can't be loaded: " + String.join("; ", failures);
        return new HeadmastException.Invalid(FIELD, "must be one of " + names + broken);
    }

    /** What is wrong with policies on the class path, whether or not they are asked for. */
    List<String> warnings() {
        List<String> warnings = new ArrayList<>(failures);
        for (Map.Entry<String, List<SchedulePolicy>> entry : provided.entrySet()) {
            String name = entry.getKey();
            if (Policies.builtIn(name).isPresent()) {
                warnings.add(classes(entry.getValue()) + ": the name " + name + " is taken by a policy of headmast");
            } else if (entry.getValue().size() > 1) {
                warnings.add(classes(entry.getValue()) + " are all called " + name);
            }
        }
        return warnings;
    }

    private static String classes(List<SchedulePolicy> policies) {
        return policies.stream().map(policy -> policy.getClass().getName()).collect(Collectors.joining(" and "));
    }
}
