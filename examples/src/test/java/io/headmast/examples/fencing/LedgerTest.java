// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.fencing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
    @TempDir
    Path directory;

    @Test
    void whatALaterRunHasWrittenToIsClosedForEarlierOnes() throws IOException {
        Ledger ledger = new Ledger(directory);
        assertTrue(ledger.book("a", 7, 1));
        assertTrue(ledger.book("a", 7, 1), "an attempt after the first");
        assertTrue(ledger.book("a", 9, 10));

        assertFalse(ledger.book("a", 7, 1));
        assertFalse(ledger.book("a", 8, 1), "a run that came in between and never wrote");
        assertEquals(new Ledger.Account(9, 12), ledger.account("a"));
    }

    @Test
    void accountsKnowNothingOfEachOther() throws IOException {
        Ledger ledger = new Ledger(directory);
        assertTrue(ledger.book("a", 9, 1));
        assertTrue(ledger.book("b", 7, 1));

        assertEquals(new Ledger.Account(0, 0), ledger.account("c"));
    }

    @Test
    void whatWasBookedIsThereForThoseWhoOpenItNext() throws IOException {
        assertTrue(new Ledger(directory).book("a", 9, 1));

        assertFalse(new Ledger(directory).book("a", 8, 1));
        assertEquals(new Ledger.Account(9, 1), new Ledger(directory).account("a"));
    }
}
