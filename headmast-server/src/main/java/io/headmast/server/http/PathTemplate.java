// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import io.headmast.api.Names;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The shape of a path: {@code /api/v1/jobs/{id}}. */
public record PathTemplate(List<String> segments) {
    public PathTemplate {
        segments = List.copyOf(segments);
    }

    static PathTemplate of(String path) {
        return new PathTemplate(split(path));
    }

    /** The segments of a path, as they stand: an empty one counts. */
    static List<String> split(String path) {
        return List.of((path.startsWith("/") ? path.substring(1) : path).split("/", -1));
    }

    boolean matches(List<String> rawSegments) {
        if (rawSegments.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!isName(segments.get(i)) && !segments.get(i).equals(rawSegments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * What stands for the names: each segment decoded once and then checked, so that nothing but a valid name gets
     * through, however it was written.
     *
     * @throws io.headmast.api.HeadmastException.Invalid naming the first that is not valid
     */
    Map<String, String> names(List<String> rawSegments) {
        Map<String, String> names = new LinkedHashMap<>();
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            if (isName(segment)) {
                String name = segment.substring(1, segment.length() - 1);
                names.put(name, Names.require(name, PercentEncoding.decode(name, rawSegments.get(i))));
            }
        }
        return names;
    }

    /** How many of its segments are literals: of two shapes that match, the one with more of them is meant. */
    long literals() {
        return segments.stream().filter(segment -> !isName(segment)).count();
    }

    /** Whether it is one path, without names. */
    boolean isPlain() {
        return literals() == segments.size();
    }

    private static boolean isName(String segment) {
        return segment.startsWith("{");
    }

    @Override
    public String toString() {
        return "/" + String.join("/", segments);
    }
}
