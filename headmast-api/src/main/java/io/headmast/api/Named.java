// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import java.util.Arrays;
import java.util.stream.Collectors;

/** An enum whose constants have a name of their own in JSON and on the command line. */
public interface Named {
    /** The name, the same in JSON, in URLs and on the command line; it never changes. */
    String wireName();

    /**
     * The constant with that name.
     *
     * @throws HeadmastException.Invalid naming {@code field} and the names there are
     */
    static <E extends Enum<E> & Named> E parse(Class<E> type, String field, String name) {
        for (E constant : type.getEnumConstants()) {
            if (constant.wireName().equals(name)) {
                return constant;
            }
        }
        throw new HeadmastException.Invalid(
                field,
                "must be one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(Named::wireName)
                                .collect(Collectors.joining(", ")));
    }
}
