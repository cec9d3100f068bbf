// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The command line of these programs: options, each with a value. */
final class Arguments {
    private static final int USAGE = 2;

    private Arguments() {}

    /** Ends the program with a word of help if there is anything else. */
    static Map<String, String> parse(String[] args, List<String> known, String help) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!known.contains(args[i]) || i + 1 == args.length) {
                System.err.println("not understood: " + args[i] + "\n" + help);
                System.exit(USAGE);
            }
            options.put(args[i], args[i + 1]);
        }
        return options;
    }
}
