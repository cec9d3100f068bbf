// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.server.faults.check.Operation.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The orders and reads of each job are those of one record that everybody sees change in the same order: there is an
 * order of the operations that agrees with their times and their answers. The search is Wing and Gong's, with a memory of
 * what was tried.
 *
 * <p>An operation whose outcome is unknown may take effect at any time after it was sent, or never. An order that may be
 * given twice without harm may have taken effect twice before its answer came, as the server says of it.
 */
final class Linearizability implements Check {
    private static final int MAX_STEPS = 2_000_000;

    @Override
    public String name() {
        return "linearizable";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        Map<String, List<Operation>> byJob = new TreeMap<>();
        evidence.operations()
                .forEach(operation -> byJob.computeIfAbsent(operation.job(), job -> new ArrayList<>())
                        .add(operation));
        List<String> violations = new ArrayList<>();
        byJob.forEach((job, operations) -> {
            Search search = new Search(operations);
            if (!search.finds()) {
                violations.add("no order explains the operations of " + job + "; the longest goes on after "
                        + search.longest + " and not with any of " + search.stuckBefore);
            }
        });
        return violations;
    }

    /**
     * Something that happens at one moment between two times.
     *
     * @param required whether it must happen; what need not tells nothing by its answer
     */
    private record Point(Operation operation, boolean required) {
        long from() {
            return operation.invoked();
        }

        long to() {
            return operation.returned();
        }

        boolean isLost() {
            return operation.outcome() instanceof Outcome.Unknown;
        }
    }

    private record Visited(BitSet done, JobModel model) {}

    private static final class Search {
        private final List<Point> points = new ArrayList<>();
        private final Set<Visited> visited = new HashSet<>();
        private int required;
        private int steps;
        private int best = -1;
        String longest = "nothing";
        List<String> stuckBefore = List.of();

        Search(List<Operation> operations) {
            for (Operation operation : operations) {
                if (operation.outcome() instanceof Outcome.Failed) {
                    continue;
                }
                boolean known = !(operation.outcome() instanceof Outcome.Unknown);
                if (known) {
                    points.add(new Point(operation, true));
                    required++;
                }
                boolean perhaps = known ? mayBeGivenTwice(operation) : operation.kind() != Operation.Kind.READ;
                if (perhaps) {
                    points.add(new Point(operation, false));
                }
            }
            points.sort(Comparator.comparingLong(Point::from));
        }

        private static boolean mayBeGivenTwice(Operation operation) {
            return operation.mayHaveChanged() && operation.kind() != Operation.Kind.RESTART;
        }

        boolean finds() {
            return goesOn(new BitSet(points.size()), JobModel.EMPTY, 0, Long.MIN_VALUE);
        }

        /** @param latest no point that ended before that may follow */
        private boolean goesOn(BitSet done, JobModel model, int requiredDone, long latest) {
            if (requiredDone == required) {
                return true;
            }
            if (++steps > MAX_STEPS) {
                throw new Inconclusive("too many orders are possible for "
                        + points.get(0).operation().job());
            }
            if (!visited.add(new Visited((BitSet) done.clone(), model))) {
                return false;
            }
            List<Integer> candidates = candidates(done, latest);
            note(requiredDone, model, candidates);
            for (int index : candidates) {
                Point point = points.get(index);
                List<JobModel> next = point.required()
                        ? model.after(point.operation())
                        : model.afterEffectOf(point.operation().kind());
                done.set(index);
                for (JobModel after : next) {
                    if (goesOn(
                            done, after, requiredDone + (point.required() ? 1 : 0), Math.max(latest, point.from()))) {
                        return true;
                    }
                }
                done.clear(index);
            }
            return false;
        }

        /** What may come next: nothing that is required and ended before it began is left out. */
        private List<Integer> candidates(BitSet done, long latest) {
            long firstEnd = Long.MAX_VALUE;
            for (int i = done.nextClearBit(0); i < points.size(); i = done.nextClearBit(i + 1)) {
                if (points.get(i).required()) {
                    firstEnd = Math.min(firstEnd, points.get(i).to());
                }
            }
            List<Integer> candidates = new ArrayList<>();
            Set<Operation.Kind> lost = EnumSet.noneOf(Operation.Kind.class);
            for (int i = done.nextClearBit(0); i < points.size(); i = done.nextClearBit(i + 1)) {
                Point point = points.get(i);
                if (point.from() > firstEnd) {
                    break;
                }
                // Of lost ones that ask the same, whichever was sent first stands for all.
                boolean another = point.isLost() && !lost.add(point.operation().kind());
                if (point.to() >= latest && !another) {
                    candidates.add(i);
                }
            }
            // What is required first: what need not happen mostly did not.
            candidates.sort(Comparator.comparing(i -> !points.get(i).required()));
            return candidates;
        }

        private void note(int requiredDone, JobModel model, List<Integer> candidates) {
            if (requiredDone > best) {
                best = requiredDone;
                longest = requiredDone + " operations with " + model;
                stuckBefore = candidates.stream()
                        .map(index -> points.get(index).operation().toString())
                        .toList();
            }
        }
    }
}
