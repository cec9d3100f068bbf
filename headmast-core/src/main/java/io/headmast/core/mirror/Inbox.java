// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.mirror;

import io.headmast.core.loop.EventLoop;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.WatchListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where the store's threads leave what a watch saw, for the mirror's loop to fetch: however much arrives, one task
 * waits on the loop. When more than {@value #MAX_EVENTS} events wait, they are dropped and the watch counts as broken: a
 * mirror that can't keep up lists again instead of growing.
 */
final class Inbox implements WatchListener {
    static final int MAX_EVENTS = 500_000;

    private final EventLoop loop;
    private final Consumer<Inbox> drain;
    private List<WatchEvent> events = new ArrayList<>();
    private long upTo;
    private @Nullable Throwable broken;
    private boolean scheduled;

    Inbox(EventLoop loop, Consumer<Inbox> drain) {
        this.loop = loop;
        this.drain = drain;
    }

    /**
     * What arrived since the last time.
     *
     * @param upTo every event up to this revision is here or was before; 0 for no news
     */
    record Content(List<WatchEvent> events, long upTo, Optional<Throwable> broken) {}

    synchronized Content take() {
        Content content = new Content(events, upTo, Optional.ofNullable(broken));
        events = new ArrayList<>();
        scheduled = false;
        return content;
    }

    @Override
    public synchronized void onEvents(long revision, List<WatchEvent> arrived) {
        if (broken != null) {
            return;
        }
        if (events.size() + arrived.size() > MAX_EVENTS) {
            events = new ArrayList<>();
            upTo = 0;
            onBroken(new IllegalStateException("more than " + MAX_EVENTS + " events wait"));
            return;
        }
        events.addAll(arrived);
        upTo = Math.max(upTo, revision);
        schedule();
    }

    @Override
    public synchronized void onProgress(long revision) {
        if (broken != null) {
            return;
        }
        upTo = Math.max(upTo, revision);
        schedule();
    }

    @Override
    public synchronized void onBroken(Throwable cause) {
        broken = cause;
        schedule();
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            loop.execute(() -> drain.accept(this));
        }
    }
}
