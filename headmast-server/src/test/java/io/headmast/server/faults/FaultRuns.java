// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.api.HeadmastException;
import io.headmast.server.faults.kind.Fault;
import io.headmast.server.faults.kind.Faults;
import io.headmast.server.faults.kind.Members;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The program that lets clusters meet faults, run after run, and says what came of it. */
public final class FaultRuns {
    private static final String HELP = String.join(
            "\n",
            "usage: faults runs [--runs N] [--from SEED] [--replay SEED] [--seconds S] [--faults NAME,NAME…] [--keep DIR]",
            "",
            "Each run starts an etcd, two servers and three workers as processes, gives random orders about 60 jobs,",
            "lets faults happen, waits until all is at rest, and checks the whole history.",
            "",
            "  --runs N       how many runs (1)",
            "  --from SEED    the seed of the first; the next has the next number (1)",
            "  --replay SEED  one run: the same faults at the same times and the same orders again. Processes and",
            "                 threads are real, so what they do meanwhile differs from run to run",
            "  --seconds S    for how long clients give orders in a run (45)",
            "  --faults …     only these kinds",
            "  --keep DIR     where the runs leave histories, journals and logs (a temporary directory)",
            "",
            "Kinds of faults: "
                    + String.join(" ", Faults.ALL.stream().map(Fault::name).toList()),
            "Ends with 1 if a run showed a violation, or decided nothing.");

    private final Map<String, String> options;
    private final RunTotals totals = new RunTotals();

    private FaultRuns(Map<String, String> options) {
        this.options = options;
    }

    public static void main(String[] args) throws IOException {
        if (args.length > 0 && args[0].equals("--help")) {
            System.out.println(HELP);
            return;
        }
        Map<String, String> options =
                Arguments.parse(args, List.of("--runs", "--from", "--replay", "--seconds", "--faults", "--keep"), HELP);
        boolean good = new FaultRuns(options).run();
        // Threads of clients may linger.
        System.exit(good ? 0 : 1);
    }

    private boolean run() throws IOException {
        boolean replay = options.containsKey("--replay");
        long from = number(replay ? "--replay" : "--from", 1);
        long runs = replay ? 1 : number("--runs", 1);
        Duration length = Duration.ofSeconds(number("--seconds", 45));
        Path keep = options.containsKey("--keep")
                ? Files.createDirectories(Path.of(options.get("--keep")))
                : Files.createTempDirectory("headmast-faults-");
        System.out.println("histories, journals and logs: " + keep);
        for (long seed = from; seed < from + runs; seed++) {
            Path directory = Files.createDirectories(keep.resolve("seed-" + seed));
            RunReport report = run(seed, length, wanted(), directory);
            totals.add(report);
            System.out.println(report);
        }
        System.out.println(totals);
        return totals.areGood();
    }

    /** One run, by its seed: it says what etcd there is, which of the wanted faults happen, and when. */
    static RunReport run(long seed, Duration length, Predicate<Fault> wanted, Path directory) {
        Topology topology = Topology.of(seed);
        Members etcd = topology.start();
        List<Fault> kinds = Faults.ALL.stream()
                .filter(fault -> wanted.test(fault) && fault.suits(etcd))
                .toList();
        FaultPlan plan = FaultPlan.of(seed, topology.turn(seed), kinds, length);
        try {
            return new FaultRun(FaultRun.Settings.of(seed, plan), directory).run(etcd);
        } catch (AssertionError | HeadmastException e) {
            // The cluster didn't come up, or a fault could not be done: nothing can be said of the product.
            return new RunReport.Builder(seed, Duration.ZERO)
                    .inconclusive(e.toString())
                    .build();
        }
    }

    private Predicate<Fault> wanted() {
        if (!options.containsKey("--faults")) {
            return fault -> true;
        }
        List<String> names = List.of(options.get("--faults").split(",", -1));
        return fault -> names.contains(fault.name());
    }

    private long number(String option, long otherwise) {
        return Long.parseLong(options.getOrDefault(option, Long.toString(otherwise)));
    }
}
