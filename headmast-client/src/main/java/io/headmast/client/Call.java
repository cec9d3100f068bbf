// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request, whether it may be repeated, and how its answer is read.
 *
 * @param read makes the result of an answer with a status of 2xx
 * @param absent the result when there is no such thing; when null, that is a failure
 */
record Call<T>(
        Request request,
        Repeat repeat,
        Function<Answer, T> read,
        @Nullable T absent) {
    static <T> Call<T> of(Request request, Repeat repeat, Function<Answer, T> read) {
        return new Call<>(request, repeat, read, null);
    }

    Call<T> orIfAbsent(T value) {
        return new Call<>(request, repeat, read, value);
    }

    /** The failure of a call that is given up while it is under way. */
    HeadmastException abandoned(String why) {
        return changesSomething()
                ? new HeadmastException.Indeterminate(request + " may or may not have been carried out: " + why)
                : new HeadmastException.Unavailable(request + " was given up: " + why);
    }

    boolean changesSomething() {
        return repeat != Repeat.READ;
    }
}
