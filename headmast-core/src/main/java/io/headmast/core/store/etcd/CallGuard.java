// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Puts right from below what jetcd leaves open:
 *
 * <ul>
 *   <li>every call but a watch gets a deadline;
 *   <li>of a call that failed it tells whether it was ever handed to a connection: one that was not has certainly not
 *       been applied;
 *   <li>the end of a call is final: jetcd would make some calls again, and resume a watch from a revision that may lie
 *       behind events it never delivered.
 * </ul>
 */
final class CallGuard implements ClientInterceptor {
    private static final Context.Key<Deadline> DEADLINE = Context.key("headmast-deadline");
    private static final String WATCH_SERVICE = "etcdserverpb.Watch";

    /** Marks a failure of a call that no connection ever saw; the cause is the failure's own. */
    static final class NeverSent extends Exception {
        private static final long serialVersionUID = 1L;

        NeverSent(@Nullable Throwable cause) {
            super("the call was never sent", cause);
        }
    }

    private final Duration defaultLimit;

    /** @param defaultLimit for calls that jetcd makes by itself, such as to authenticate */
    CallGuard(Duration defaultLimit) {
        this.defaultLimit = defaultLimit;
    }

    /** Makes a call, from this thread, that has to end within the limit. */
    static <T> T within(Duration limit, Supplier<T> call) {
        Context context = Context.current().withValue(DEADLINE, deadline(limit));
        Context previous = context.attach();
        try {
            return call.get();
        } finally {
            context.detach(previous);
        }
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
        if (WATCH_SERVICE.equals(method.getServiceName())) {
            return onClose(next.newCall(method, options), CallGuard::makeFinal);
        }
        Deadline given = DEADLINE.get();
        var sent = new Sent();
        CallOptions guarded = options.withDeadline(given == null ? deadline(defaultLimit) : given)
                .withStreamTracerFactory(sent);
        return onClose(next.newCall(method, guarded), sent::mark);
    }

    /** The call, with another status at its end. */
    private static <Q, A> ClientCall<Q, A> onClose(ClientCall<Q, A> call, UnaryOperator<Status> change) {
        return new SimpleForwardingClientCall<>(call) {
            @Override
            public void start(Listener<A> listener, Metadata headers) {
                super.start(
                        new SimpleForwardingClientCallListener<A>(listener) {
                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                super.onClose(change.apply(status), trailers);
                            }
                        },
                        headers);
            }
        };
    }

    /** A status after which jetcd tries nothing. It ignores it altogether when etcd ends a watch in order. */
    private static Status makeFinal(Status status) {
        return Status.ABORTED
                .withDescription(
                        status.isOk() ? "etcd ended the watch" : status.getCode() + ": " + status.getDescription())
                .withCause(status.getCause());
    }

    private static Deadline deadline(Duration limit) {
        return Deadline.after(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Whether a stream was created for the call on a connection that was ready. */
    private static final class Sent extends ClientStreamTracer.Factory {
        private volatile boolean created;

        @Override
        public ClientStreamTracer newClientStreamTracer(ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void streamCreated(Attributes transport, Metadata headers) {
                    created = true;
                }
            };
        }

        Status mark(Status status) {
            if (status.isOk()) {
                return status;
            }
            Status marked = created ? status : status.withCause(new NeverSent(status.getCause()));
            // jetcd retries after UNAVAILABLE, or says at length that it would if it were allowed to.
            return status.getCode() == Status.Code.UNAVAILABLE ? makeFinal(marked) : marked;
        }
    }
}
