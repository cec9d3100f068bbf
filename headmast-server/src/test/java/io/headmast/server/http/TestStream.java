// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** A stream that says one word when it begins, perhaps a lot more, and one when it is to end. */
final class TestStream implements StreamBody {
    private static final byte[] FLOOD = new byte[16 * 1024];

    final CountDownLatch closed = new CountDownLatch(1);
    final CountDownLatch begun = new CountDownLatch(1);
    private final boolean flooding;

    /** @param flooding whether it never stops talking */
    TestStream(boolean flooding) {
        this.flooding = flooding;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException, InterruptedException {
        say(out, "begin\n");
        begun.countDown();
        while (flooding && closed.getCount() > 0) {
            out.write(FLOOD);
            out.flush();
        }
        closed.await();
        say(out, "end\n");
    }

    private static void say(OutputStream out, String word) throws IOException {
        out.write(word.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
