// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The history of a cluster, from the journals of its workers: who ran what when, by one monotonic clock. A run that was
 * started and not stopped goes on, unless its process is known to have died.
 */
public final class Journals {
    private final Map<String, Path> files = new TreeMap<>();
    private final Map<String, List<Death>> deaths = new HashMap<>();

    /** One run of a job; {@code to} is {@link Long#MAX_VALUE} while it goes on. */
    public record Run(String job, String worker, long epoch, long from, long to) {
        public boolean goesOn() {
            return to == Long.MAX_VALUE;
        }
    }

    /** A time in which a worker's process stood still, by its own clock. */
    public record Standstill(String worker, long from, long to) {}

    /** A process was killed after one time and gone by the other. */
    private record Death(long after, long by) {}

    synchronized void add(String worker, Path file) {
        files.put(worker, file);
    }

    /** The worker's process was killed after one time and gone by the other. */
    synchronized void died(String worker, long after, long by) {
        deaths.computeIfAbsent(worker, id -> new ArrayList<>()).add(new Death(after, by));
    }

    /** All runs, by their start. */
    public synchronized List<Run> runs() {
        List<Run> runs = new ArrayList<>();
        files.forEach((worker, file) -> runs.addAll(runsOf(worker, file)));
        runs.sort(Comparator.comparingLong(Run::from));
        return runs;
    }

    /** All times in which a process stood still and was awake again. */
    public synchronized List<Standstill> standstills() {
        List<Standstill> standstills = new ArrayList<>();
        files.forEach((worker, file) -> {
            for (String line : lines(file)) {
                String[] words = line.split(" ", -1);
                if (words[1].equals("awake")) {
                    standstills.add(new Standstill(worker, Long.parseLong(words[2]), Long.parseLong(words[0])));
                }
            }
        });
        return standstills;
    }

    /** What runs now, by job. More than one run of a job is a violation and reported by {@link #violations()}. */
    public Map<String, Run> running() {
        Map<String, Run> running = new TreeMap<>();
        runs().stream().filter(Run::goesOn).forEach(run -> running.put(run.job(), run));
        return running;
    }

    /** Every overlap of two runs of a job, and every epoch that doesn't exceed the one before. */
    public List<String> violations() {
        Map<String, Run> last = new HashMap<>();
        List<String> violations = new ArrayList<>();
        for (Run run : runs()) {
            Run before = last.put(run.job(), run);
            if (before != null && before.to() > run.from()) {
                violations.add("overlap: " + before + " and " + run);
            }
            if (before != null && before.epoch() > run.epoch()) {
                violations.add("epoch went back: " + before + " and " + run);
            }
        }
        return violations;
    }

    private List<Run> runsOf(String worker, Path file) {
        Map<String, Run> open = new HashMap<>();
        List<Run> runs = new ArrayList<>();
        List<Death> ends = deaths.getOrDefault(worker, List.of());
        for (String line : lines(file)) {
            String[] words = line.split(" ", -1);
            long at = Long.parseLong(words[0]);
            String job = words[2];
            if (words[1].equals("awake")) {
                continue;
            }
            if (words[1].equals("start")) {
                Run before = open.put(job, new Run(job, worker, Long.parseLong(words[3]), at, Long.MAX_VALUE));
                if (before != null) {
                    runs.add(ended(before, ends));
                }
            } else {
                Run started = open.remove(job);
                runs.add(new Run(job, worker, Long.parseLong(words[3]), started.from(), at));
            }
        }
        open.values().forEach(run -> runs.add(ended(run, ends)));
        return runs;
    }

    /** A run without a stop ended with the first death of its process after its start. */
    private static Run ended(Run run, List<Death> deaths) {
        long to = deaths.stream()
                .filter(death -> death.by() > run.from())
                .mapToLong(death -> Math.max(death.after(), run.from()))
                .min()
                .orElse(Long.MAX_VALUE);
        return new Run(run.job(), run.worker(), run.epoch(), run.from(), to);
    }

    /** Complete lines only: the last one may be under way. */
    private static List<String> lines(Path file) {
        try {
            if (!Files.exists(file)) {
                return List.of();
            }
            String text = Files.readString(file);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
