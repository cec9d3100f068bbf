// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.sim;

import io.headmast.sim.cluster.Flaw;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code bin/simulate}: many seeds with a summary, or one with everything that happens. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs clusters of servers and workers in virtual time, under orders and faults at random,",
            "and checks every invariant at every event. The same seed gives the same."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:every invariant held", "1:one was violated", "2:wrong usage"})
final class SimulateCommand implements Callable<Integer> {
    private static final int VIOLATED = 1;
    private static final int TRACE_TAIL = 40;

    @Option(names = "--seeds", description = "how many seeds; 1,000 unless --minutes is given")
    private long seeds;

    @Option(names = "--from", defaultValue = "1", description = "the first seed (default: ${DEFAULT-VALUE})")
    private long from;

    @Option(names = "--minutes", description = "how long to go on")
    private long minutes;

    @Option(names = "--threads", description = "how many seeds at a time; one for each processor unless given")
    private int threads;

    @Option(names = "--all", description = "go on after a violation, and tell all of them at the end")
    private boolean all;

    @Option(names = "--replay", paramLabel = "SEED", description = "one seed, with everything that happens in it")
    private Long replayed;

    private final PrintStream out;

    SimulateCommand(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new SimulateCommand(System.out)).execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        return replayed == null ? campaign() : replay(replayed);
    }

    private int replay(long seed) {
        Outcome outcome = Campaign.quietly(seed, Flaw.NONE, true);
        outcome.trace().forEach(out::println);
        out.printf(
                "%nseed %d: %s, %,d events%n",
                seed, outcome.violation().orElse("every invariant held"), outcome.events());
        return outcome.violation().isPresent() ? VIOLATED : 0;
    }

    private int campaign() throws InterruptedException {
        Campaign campaign =
                new Campaign(threads > 0 ? threads : Runtime.getRuntime().availableProcessors(), all);
        long count = seeds > 0 ? seeds : minutes > 0 ? Long.MAX_VALUE : 1000;
        OptionalLong limit =
                minutes > 0 ? OptionalLong.of(Duration.ofMinutes(minutes).toNanos()) : OptionalLong.empty();
        Progress progress = new Progress(campaign, limit, out);
        progress.start();
        campaign.run(count, i -> from + i);
        progress.end();
        new Summary(campaign, out).print();
        campaign.violated().stream().findFirst().ifPresent(this::show);
        return campaign.violated().isEmpty() ? 0 : VIOLATED;
    }

    /** The end of what led there; the same happens again, now written down. */
    private void show(Outcome violated) {
        List<String> trace = Campaign.quietly(violated.seed(), Flaw.NONE, true).trace();
        out.printf(
                "%nseed %d, its last %d lines; all of them: bin/simulate --replay %d%n",
                violated.seed(), TRACE_TAIL, violated.seed());
        trace.subList(Math.max(0, trace.size() - TRACE_TAIL), trace.size()).forEach(out::println);
    }
}
