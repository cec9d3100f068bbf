// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.headmast.api.HeadmastException;
import io.headmast.core.store.CompactedException;
import io.headmast.core.store.LeaseNotFoundException;
import io.headmast.core.store.memory.KeyMissingException;
import io.headmast.core.store.memory.LeaseExistsException;
import io.headmast.core.store.memory.TxnLimits;
import java.util.concurrent.CompletionException;

/** etcd's errors: clients know many of them by their texts alone. */
final class EtcdStatus {
    static final Status EMPTY_KEY = Status.INVALID_ARGUMENT.withDescription("etcdserver: key is not provided");
    static final Status KEY_NOT_FOUND = Status.INVALID_ARGUMENT.withDescription("etcdserver: key not found");
    static final Status VALUE_PROVIDED = Status.INVALID_ARGUMENT.withDescription("etcdserver: value is provided");
    static final Status LEASE_PROVIDED = Status.INVALID_ARGUMENT.withDescription("etcdserver: lease is provided");
    static final Status TOO_MANY_OPS =
            Status.INVALID_ARGUMENT.withDescription("etcdserver: too many operations in txn request");
    static final Status DUPLICATE_KEY =
            Status.INVALID_ARGUMENT.withDescription("etcdserver: duplicate key given in txn request");
    static final Status COMPACTED =
            Status.OUT_OF_RANGE.withDescription("etcdserver: mvcc: required revision has been compacted");
    static final Status FUTURE_REVISION =
            Status.OUT_OF_RANGE.withDescription("etcdserver: mvcc: required revision is a future revision");
    static final Status LEASE_NOT_FOUND = Status.NOT_FOUND.withDescription("etcdserver: requested lease not found");
    static final Status LEASE_EXISTS = Status.FAILED_PRECONDITION.withDescription("etcdserver: lease already exists");
    static final Status TTL_TOO_LARGE = Status.OUT_OF_RANGE.withDescription("etcdserver: too large lease TTL");
    static final Status REQUEST_TOO_LARGE = Status.INVALID_ARGUMENT.withDescription("etcdserver: request is too large");
    static final Status TOO_MANY_REQUESTS = Status.RESOURCE_EXHAUSTED.withDescription("etcdserver: too many requests");
    static final Status STOPPED = Status.UNAVAILABLE.withDescription("etcdserver: server stopped");

    private EtcdStatus() {}

    /** The error for a failure of the engine. */
    static StatusRuntimeException of(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof StatusRuntimeException known
                ? known
                : status(cause).asRuntimeException();
    }

    /** The error for what is wrong with a transaction. */
    static Status of(TxnLimits.Problem problem) {
        return switch (problem) {
            case TOO_MANY_OPERATIONS -> TOO_MANY_OPS;
            case NO_KEY -> EMPTY_KEY;
            case KEY_WRITTEN_TWICE -> DUPLICATE_KEY;
        };
    }

    private static Status status(Throwable cause) {
        if (cause instanceof LeaseNotFoundException) {
            return LEASE_NOT_FOUND;
        }
        if (cause instanceof CompactedException) {
            return COMPACTED;
        }
        if (cause instanceof KeyMissingException) {
            return KEY_NOT_FOUND;
        }
        if (cause instanceof LeaseExistsException) {
            return LEASE_EXISTS;
        }
        if (cause instanceof HeadmastException.Unavailable) {
            return STOPPED;
        }
        if (cause instanceof HeadmastException.Invalid invalid) {
            String field = invalid.field().orElse("");
            return field.equals("revision") ? FUTURE_REVISION : field.equals("ttl") ? TTL_TOO_LARGE : DUPLICATE_KEY;
        }
        return Status.INTERNAL.withDescription(cause.toString()).withCause(cause);
    }
}
