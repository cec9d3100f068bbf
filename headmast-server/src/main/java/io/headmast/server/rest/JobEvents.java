// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.rest;

import com.google.gson.JsonObject;
import io.headmast.api.HeadmastException;
import io.headmast.api.JobChange;
import io.headmast.api.JobView;
import io.headmast.api.Payload;
import io.headmast.api.Problem;
import io.headmast.core.manager.JobWatch;
import io.headmast.server.http.StreamBody;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch as server-sent events: where it stands, one event for each revision, a progress when nothing comes, and why it
 * ends. A revision is passed on change by change, since it may be larger than memory.
 */
final class JobEvents implements StreamBody {
    private static final Logger LOG = LoggerFactory.getLogger(JobEvents.class);

    /** After so long without a change the reader is told that there is none; and a reader that is gone is noticed. */
    static final Duration HEARTBEAT = Duration.ofSeconds(5);

    private static final long RETRY_MILLIS = 1000;

    private final JobWatch watch;
    private final OptionalLong after;
    private final boolean payloads;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The last revision that was told to its end; 0 before the first. */
    private long position;

    /** Whether an event was begun that tells a later one. */
    private boolean begun;

    /** @param payloads whether the jobs' payloads are told; they are empty otherwise */
    JobEvents(JobWatch watch, OptionalLong after, boolean payloads) {
        this.watch = watch;
        this.after = after;
        this.payloads = payloads;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException, InterruptedException {
        EventWriter events = new EventWriter(out);
        try {
            tellStart(events);
            while (true) {
                tell(events, watch.next(HEARTBEAT));
            }
        } catch (HeadmastException e) {
            end(events, e);
        } catch (RuntimeException e) {
            LOG.error("watch failed position={}", position, e);
            end(events, new HeadmastException.Internal("unexpected failure; the server's log says more"));
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            watch.close();
        }
    }

    /** From where the reader can take the watch up, before there is any change. */
    private void tellStart(EventWriter events) throws IOException, InterruptedException {
        JobWatch.@Nullable Notice first = after.isPresent() ? null : watch.next(Duration.ZERO);
        if (first == null) {
            progress(events, after.getAsLong());
        } else if (first instanceof JobWatch.Change change) {
            progress(events, change.revision() - 1);
            tell(events, change);
        } else {
            tell(events, first);
        }
    }

    private void tell(EventWriter events, JobWatch.Notice notice) throws IOException {
        if (notice instanceof JobWatch.Change change) {
            change(events, change);
        } else if (begun) {
            // The revision's next change is late. The event can't be ended before it is complete.
            events.comment();
        } else {
            progress(events, notice.revision());
        }
    }

    private void change(EventWriter events, JobWatch.Change change) throws IOException {
        if (!begun) {
            events.id(change.revision());
            events.type("changes");
            begun = true;
        }
        events.data((payloads ? change.change() : withoutPayload(change.change())).toJson());
        if (change.last()) {
            events.send();
            begun = false;
            position = change.revision();
        }
    }

    private void progress(EventWriter events, long revision) throws IOException {
        JsonObject json = new JsonObject();
        json.addProperty("revision", revision);
        events.type("progress");
        events.id(revision);
        events.data(json);
        events.send();
        position = revision;
    }

    private void end(EventWriter events, HeadmastException why) throws IOException {
        HeadmastException told = closed.get()
                ? new HeadmastException.Unavailable("this server is stopping; take the watch up at another, or again")
                : why;
        if (begun) {
            // What was begun becomes this event, since its last type and id count: so it moves no reader on.
            events.id(position);
        }
        events.type("end");
        if (told instanceof HeadmastException.Unavailable) {
            events.retry(RETRY_MILLIS);
        }
        events.data(Problem.of(told).toJson());
        events.send();
    }

    private static JobChange withoutPayload(JobChange change) {
        JobView view = change.job();
        return new JobChange(
                change.reason(),
                new JobView(view.job().toBuilder().payload(Payload.empty()).build(), view.revision(), view.state()));
    }
}
