// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import io.headmast.api.HeadmastException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * A daemon's command line: flags in, a running daemon out. What goes wrong is one line on the error output that says
 * what to do. Both daemons are run by this.
 *
 * @param <O> the options that the flags make
 */
public final class DaemonCommand<O> {
    /** The exit code after an orderly stop. */
    public static final int OK = 0;

    /** The exit code when the daemon can't do its work. */
    public static final int FAILED = 1;

    /** The exit code when it was not understood what to do. */
    public static final int USAGE = 2;

    private final String name;
    private final Supplier<? extends Flags<O>> flags;
    private final Function<O, Daemon> daemons;

    /** The flags of a daemon, as picocli fills them in. */
    public interface Flags<O> {
        /** The properties file that was named. */
        Optional<String> config();

        /** @throws HeadmastException.Invalid naming the option that is at fault, in camel case */
        O toOptions();
    }

    /** What runs. */
    public interface Daemon {
        /**
         * Starts and blocks until it is closed.
         *
         * @throws HeadmastException if it can't start; nothing is left behind then
         */
        void run() throws InterruptedException;

        /** Stops in good order; called when the process is told to end. */
        void close();
    }

    /** Where a command runs. */
    public record Surroundings(Map<String, String> environment, PrintWriter out, PrintWriter err) {
        /** This process's own. */
        public static Surroundings ofProcess() {
            return new Surroundings(System.getenv(), writer(System.out), writer(System.err));
        }

        private static PrintWriter writer(OutputStream stream) {
            return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
        }
    }

    /**
     * @param name of the command, for messages
     * @param flags makes an object with picocli's annotations
     */
    public DaemonCommand(String name, Supplier<? extends Flags<O>> flags, Function<O, Daemon> daemons) {
        this.name = name;
        this.flags = flags;
        this.daemons = daemons;
    }

    /** Does what the arguments say, and returns the exit code; blocks while the daemon runs. */
    public int run(Surroundings at, String... args) {
        Flags<O> given = flags.get();
        CommandLine line = new CommandLine(given);
        try {
            ParseResult first = line.parseArgs(args);
            if (first.isUsageHelpRequested()) {
                line.usage(at.out());
                return OK;
            }
            if (first.isVersionHelpRequested()) {
                line.printVersionHelp(at.out());
                return OK;
            }
            // Parsed twice: what the flags' defaults are is known once it is known which file was named.
            ConfigDefaults defaults = ConfigDefaults.read(at.environment(), given.config());
            defaults.requireKnown(line.getCommandSpec());
            line.setDefaultValueProvider(defaults);
            ParseResult parsed = line.parseArgs(args);
            return serve(options(given, parsed, defaults), at);
        } catch (ParameterException e) {
            return fail(at, USAGE, UsageError.message(e));
        } catch (HeadmastException.Invalid e) {
            return fail(at, USAGE, e.detail());
        }
    }

    private O options(Flags<O> given, ParseResult parsed, ConfigDefaults defaults) {
        try {
            return given.toOptions();
        } catch (HeadmastException.Invalid e) {
            if (e.field().isEmpty()) {
                throw e;
            }
            throw new HeadmastException.Invalid("", wrongValue(e.field().get(), e, parsed, defaults));
        }
    }

    private int serve(O options, Surroundings at) {
        Daemon daemon = daemons.apply(options);
        Thread onSignal = new Thread(daemon::close, "shutdown");
        Runtime.getRuntime().addShutdownHook(onSignal);
        try {
            daemon.run();
            return OK;
        } catch (HeadmastException e) {
            return fail(at, e instanceof HeadmastException.Invalid ? USAGE : FAILED, e.detail());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OK;
        } finally {
            forget(onSignal);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already: by that hook, then.
            return;
        }
    }

    private int fail(Surroundings at, int code, String message) {
        at.err().println(name + ": " + message);
        at.err().flush();
        return code;
    }

    /** {@code --lease-ttl must lie between 2s and 1h (it is '1s', from HEADMAST_LEASE_TTL in the environment)}. */
    private static String wrongValue(
            String field, HeadmastException.Invalid problem, ParseResult given, ConfigDefaults defaults) {
        String flag = "--" + field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        String text = problem.detail().replaceFirst("^" + field + " ", flag + " ");
        if (given.hasMatchedOption(flag)) {
            return text + " (it is '" + given.matchedOptionValue(flag, "").strip() + "')";
        }
        return text
                + defaults.origin(flag).map(origin -> " (from " + origin + ")").orElse("");
    }
}
