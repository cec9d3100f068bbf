// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.worker.daemon;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Arguments that were not understood, in one line that says what was meant. */
public final class UsageError {
    /** How many letters may differ between what was written and what was meant. */
    private static final int MAX_DISTANCE = 3;

    private UsageError() {}

    /** What is wrong with the arguments. */
    public static String message(ParameterException problem) {
        if (problem instanceof UnmatchedArgumentException unmatched) {
            String argument = unmatched.getUnmatched().get(0);
            Set<String> known =
                    problem.getCommandLine().getCommandSpec().optionsMap().keySet();
            String meant = closest(argument, known)
                    .map(flag -> "; did you mean " + flag + "?")
                    .orElse("; see --help");
            return "'" + argument + "' is not known" + meant;
        }
        return String.valueOf(problem.getMessage()).lines().findFirst().orElse("wrong usage") + "; see --help";
    }

    /** The known name that differs least from {@code given}, if any is close. */
    static Optional<String> closest(String given, Set<String> known) {
        String name = given.split("=", 2)[0];
        return known.stream()
                .filter(candidate -> candidate.startsWith("--") && distance(name, candidate) <= MAX_DISTANCE)
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)));
    }

    /** Levenshtein's: how many letters must be changed, added or left out. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
