// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.etcd.jetcd.common.exception.CompactedException;
import io.grpc.Status;
import io.headmast.api.HeadmastException;
import io.headmast.core.store.LeaseNotFoundException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a failure of jetcd means. etcd tells most of it by the text only: the same code stands for quite different things.
 */
final class JetcdErrors {
    private JetcdErrors() {}

    /**
     * The port's failure for one of jetcd's.
     *
     * @param write whether the call may have changed something
     * @param where the endpoints that were asked
     */
    static RuntimeException translate(Throwable failure, boolean write, String where) {
        String text = text(failure);
        if (!write && text.contains("exceeds maximum size")) {
            return new HeadmastException.TooLarge("the answer has more bytes than are taken of etcd");
        }
        return refusal(text, failure)
                .orElseGet(() -> write && !neverApplied(failure, text)
                        ? new HeadmastException.Indeterminate(
                                "etcd at " + where + " did not confirm the write: " + reason(failure))
                        : new HeadmastException.Unavailable(
                                "etcd does not answer at " + where + ": " + reason(failure)));
    }

    /** Whether the same call may fare better at another endpoint, and can't be applied twice by that. */
    static boolean mayTryElsewhere(Throwable failure, boolean write) {
        String text = text(failure);
        return refusal(text, failure).isEmpty() && (!write || neverApplied(failure, text));
    }

    /** Whether the failure speaks against the endpoint rather than against the call. */
    static boolean blamesEndpoint(Throwable failure) {
        return refusal(text(failure), failure).isEmpty();
    }

    /** A failure that etcd (or gRPC, for the size of messages) gives for a reason that lies in the call. */
    private static Optional<RuntimeException> refusal(String text, Throwable failure) {
        return Optional.ofNullable(refusalOrNull(text, failure));
    }

    private static @Nullable RuntimeException refusalOrNull(String text, Throwable failure) {
        if (text.contains("requested lease not found")) {
            return new LeaseNotFoundException("etcd knows no such lease (any more)");
        }
        if (text.contains("required revision has been compacted")) {
            return new io.headmast.core.store.CompactedException(compactedRevision(failure));
        }
        if (text.contains("required revision is a future revision")) {
            return new HeadmastException.Invalid("revision", "is in the future");
        }
        if (text.contains("database space exceeded")) {
            return new HeadmastException.StorageFull(
                    "etcd is out of space: compact and defragment it, or raise its quota, then disarm its NOSPACE alarm");
        }
        if (text.contains("too many operations in txn request")) {
            return new HeadmastException.TooLarge("the transaction has more operations than etcd takes");
        }
        // The second is what gRPC says in etcd before etcd itself looks.
        if (text.contains("request is too large") || text.contains("received message larger than max")) {
            return new HeadmastException.TooLarge("the transaction has more bytes than etcd takes");
        }
        if (text.contains("duplicate key given in txn request")) {
            return new HeadmastException.Invalid("", "the transaction writes a key twice");
        }
        if (text.contains("key is not provided")) {
            return new HeadmastException.Invalid("key", "must not be empty");
        }
        if (text.contains("too large lease TTL")) {
            return new HeadmastException.Invalid("ttl", "is larger than etcd takes");
        }
        return unauthorized(text, failure)
                ? new HeadmastException.Unauthorized("etcd refuses: " + reason(failure))
                : null;
    }

    private static boolean unauthorized(String text, Throwable failure) {
        Status.Code code = Status.fromThrowable(failure).getCode();
        return code == Status.Code.UNAUTHENTICATED
                || code == Status.Code.PERMISSION_DENIED
                || text.contains("etcdserver: permission denied")
                || text.contains("etcdserver: invalid auth token")
                || text.contains("etcdserver: user name is empty")
                || text.contains("etcdserver: authentication failed")
                || text.contains("etcdserver: revision of auth store is old");
    }

    /** Whether there was no connection that the call could be handed to. */
    static boolean neverSent(Throwable failure) {
        return find(failure, CallGuard.NeverSent.class).isPresent();
    }

    /** Whether the failure proves that the call changed nothing. */
    private static boolean neverApplied(Throwable failure, String text) {
        return neverSent(failure)
                // etcd says these before it proposes the change.
                || text.contains("etcdserver: too many requests")
                || text.contains("etcdserver: no leader");
    }

    private static long compactedRevision(Throwable failure) {
        return find(failure, CompactedException.class)
                .map(CompactedException::getCompactedRevision)
                .orElse(0L);
    }

    private static <T extends Throwable> Optional<T> find(Throwable failure, Class<T> type) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (type.isInstance(at)) {
                return Optional.of(type.cast(at));
            }
        }
        return Optional.empty();
    }

    /** All that the failure and its causes say, to be searched. */
    private static String text(Throwable failure) {
        var text = new StringBuilder();
        for (Throwable at = failure; at != null; at = at.getCause()) {
            text.append(at.getMessage()).append('\n');
        }
        return text.toString();
    }

    /** Why, for people, on one line. */
    private static String reason(Throwable failure) {
        if (find(failure, TimeoutException.class).isPresent()) {
            return "no answer in time";
        }
        Status status = Status.fromThrowable(failure);
        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            return "no answer in time";
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        return message == null
                ? root.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
