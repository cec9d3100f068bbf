// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The body of an answer that goes on for as long as there is something to say and somebody to read it. It is closed once
 * at least, whatever becomes of the answer; {@link #writeTo} is called once at most.
 */
public interface StreamBody extends AutoCloseable {
    /**
     * Says everything there is to say, and returns when nothing more will come. What it writes reaches the reader when it
     * flushes, at the latest. It may wait for more as long as it likes, on a thread that is its own meanwhile.
     *
     * @throws IOException as {@code out} threw it: the reader is gone, or did not read for too long. The answer is then
     *     cut off without an end
     * @throws InterruptedException if the thread is interrupted, which cuts the answer off, too
     */
    void writeTo(OutputStream out) throws IOException, InterruptedException;

    /** Makes {@link #writeTo} say its last words and return soon. From any thread, any number of times; waits for nothing. */
    @Override
    void close();
}
