// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.daemon;

import io.headmast.api.HeadmastException;
import io.headmast.server.HeadmastService;
import io.headmast.server.ServingOptions;
import io.headmast.worker.daemon.ConfigDefaults;
import io.headmast.worker.daemon.UsageError;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The command {@code headmast server}: flags in, a running server out. What goes wrong is one line on the error output
 * that says what to do.
 */
public final class ServerCommand {
    /** The exit code after an orderly stop. */
    public static final int OK = 0;

    /** The exit code when the server can't do its work. */
    public static final int FAILED = 1;

    /** The exit code when it was not understood what to do. */
    public static final int USAGE = 2;

    private static final String NAME = "headmast server: ";

    private final Map<String, String> environment;
    private final PrintWriter out;
    private final PrintWriter err;

    /** A command in that environment, which prints what was asked for and what went wrong. */
    public ServerCommand(Map<String, String> environment, PrintWriter out, PrintWriter err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /** Does what the arguments say, and returns the exit code; blocks while the server runs. */
    public int run(String... args) {
        ServerFlags flags = new ServerFlags();
        CommandLine line = new CommandLine(flags);
        try {
            ParseResult first = line.parseArgs(args);
            if (first.isUsageHelpRequested()) {
                line.usage(out);
                return OK;
            }
            if (first.isVersionHelpRequested()) {
                line.printVersionHelp(out);
                return OK;
            }
            // Parsed twice: what the flags' defaults are is known once it is known which file was named.
            ConfigDefaults defaults = ConfigDefaults.read(environment, flags.config());
            defaults.requireKnown(line.getCommandSpec());
            line.setDefaultValueProvider(defaults);
            return options(flags, line.parseArgs(args), defaults)
                    .map(this::serve)
                    .orElse(USAGE);
        } catch (ParameterException e) {
            return fail(USAGE, UsageError.message(e));
        } catch (HeadmastException.Invalid e) {
            return fail(USAGE, e.detail());
        }
    }

    private Optional<ServingOptions> options(ServerFlags flags, ParseResult given, ConfigDefaults defaults) {
        try {
            return Optional.of(flags.toOptions());
        } catch (HeadmastException.Invalid e) {
            fail(
                    USAGE,
                    e.field()
                            .map(field -> wrongValue(field, e, given, defaults))
                            .orElse(e.detail()));
            return Optional.empty();
        }
    }

    private int serve(ServingOptions options) {
        HeadmastService service = new HeadmastService(options);
        Thread onSignal = new Thread(service::close, "shutdown");
        Runtime.getRuntime().addShutdownHook(onSignal);
        try {
            service.run();
            return OK;
        } catch (HeadmastException e) {
            return fail(FAILED, e.detail());
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

    private int fail(int code, String message) {
        err.println(NAME + message);
        err.flush();
        return code;
    }

    /** {@code --lease-ttl must lie between 2s and 1h (it is '1s', from HEADMAST_LEASE_TTL in the environment)}. */
    private static String wrongValue(
            String field, HeadmastException.Invalid problem, ParseResult given, ConfigDefaults defaults) {
        String flag = "--" + field.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
        String text = problem.detail().replaceFirst("^" + field + " ", flag + " ");
        String value = given.matchedOptionValue(flag, "");
        if (given.hasMatchedOption(flag)) {
            return text + " (it is '" + value.strip() + "')";
        }
        return text
                + defaults.origin(flag).map(origin -> " (from " + origin + ")").orElse("");
    }
}
