// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A set of ids in ascending order, at less than 10 bytes an id: blocks of them in an array each, found by a tree of the
 * blocks alone. A million ids in a tree of their own would take 40 bytes each.
 */
final class SortedIds {
    private static final int MAX_BLOCK = 512;

    /** By a bound that is at most the least id in the block; the first one's is "". */
    private final TreeMap<String, ArrayList<String>> blocks = new TreeMap<>();

    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    int size() {
        return size;
    }

    void add(String id) {
        Map.Entry<String, ArrayList<String>> found = blocks.floorEntry(id);
        ArrayList<String> block = found == null ? new ArrayList<>() : found.getValue();
        if (found == null) {
            blocks.put("", block);
        }
        int at = Collections.binarySearch(block, id);
        if (at >= 0) {
            return;
        }
        block.add(-at - 1, id);
        size++;
        if (block.size() > MAX_BLOCK) {
            List<String> upper = block.subList(MAX_BLOCK / 2, block.size());
            blocks.put(upper.get(0), new ArrayList<>(upper));
            upper.clear();
            block.trimToSize();
        }
    }

    void remove(String id) {
        Map.Entry<String, ArrayList<String>> found = blocks.floorEntry(id);
        int at = found == null ? -1 : Collections.binarySearch(found.getValue(), id);
        if (found == null || at < 0) {
            return;
        }
        found.getValue().remove(at);
        size--;
        if (found.getValue().isEmpty() && !found.getKey().isEmpty()) {
            blocks.remove(found.getKey());
        }
    }

    /** Those after {@code id}; valid until the set changes. */
    Iterator<String> after(String id) {
        String first = Objects.requireNonNullElse(blocks.floorKey(id), "");
        Iterator<ArrayList<String>> rest = blocks.tailMap(first, true).values().iterator();
        return new Iterator<>() {
            private List<String> block = rest.hasNext() ? rest.next() : List.of();
            private int at = firstAfter(block, id);

            @Override
            public boolean hasNext() {
                while (at == block.size() && rest.hasNext()) {
                    block = rest.next();
                    at = 0;
                }
                return at < block.size();
            }

            @Override
            public String next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return block.get(at++);
            }
        };
    }

    private static int firstAfter(List<String> block, String id) {
        int at = Collections.binarySearch(block, id);
        return at >= 0 ? at + 1 : -at - 1;
    }
}
