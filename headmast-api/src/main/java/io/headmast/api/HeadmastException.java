// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The one family of expected failures. Each kind has a stable name ({@link #type()}), one HTTP status, and a message
 * that says what to do about it. The server maps a failure to {@code application/problem+json} by these alone, and the
 * SDK maps it back with {@link #of}, so both sides throw the same types.
 *
 * <p>A bug is not in this family: it surfaces as {@link IllegalStateException} or another unchecked exception.
 */
public abstract class HeadmastException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String type;
    private final int httpStatus;
    private final @Nullable String field;

    private HeadmastException(String type, int httpStatus, String message, @Nullable String field) {
        super(message);
        this.type = type;
        this.httpStatus = httpStatus;
        this.field = field;
    }

    /** The stable name of the kind, such as {@code not-found}. */
    public final String type() {
        return type;
    }

    /** The HTTP status that stands for this kind. */
    public final int httpStatus() {
        return httpStatus;
    }

    /** The field of the input that is at fault, where there is one. */
    public final Optional<String> field() {
        return Optional.ofNullable(field);
    }

    /** What went wrong and what to do about it; never absent. */
    public final String detail() {
        String message = getMessage();
        return message == null ? type : message;
    }

    /** The input is malformed or asks for something that is not supported. Nothing was changed. */
    public static final class Invalid extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public Invalid(String field, String problem) {
            super("invalid", 400, field.isEmpty() ? problem : field + " " + problem, field.isEmpty() ? null : field);
        }

        /** For a message that is complete already. */
        private Invalid(String message, Optional<String> field) {
            super("invalid", 400, message, field.orElse(null));
        }
    }

    /** No access token was given, or one that is not valid. */
    public static final class Unauthorized extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public Unauthorized(String message) {
            super("unauthorized", 401, message, null);
        }
    }

    /** What was asked for does not exist. */
    public static final class NotFound extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public NotFound(String message) {
            super("not-found", 404, message, null);
        }
    }

    /** Something else with that id exists already. Nothing was changed. */
    public static final class AlreadyExists extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public AlreadyExists(String message) {
            super("already-exists", 409, message, null);
        }
    }

    /** The present state does not allow it (a live worker is deleted, a job is being deleted). Nothing was changed. */
    public static final class Conflict extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public Conflict(String message) {
            super("conflict", 409, message, null);
        }
    }

    /** The revision asked for is no longer there; start again from a list. */
    public static final class Gone extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public Gone(String message) {
            super("gone", 410, message, null);
        }
    }

    /** The record was changed since the revision the caller named. Nothing was changed by this call. */
    public static final class PreconditionFailed extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public PreconditionFailed(String message) {
            super("precondition-failed", 412, message, null);
        }
    }

    /** Larger than a limit that the message names. Nothing was changed. */
    public static final class TooLarge extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public TooLarge(String message) {
            super("too-large", 413, message, null);
        }
    }

    /** An unexpected failure inside headmast; its log has the details. */
    public static final class Internal extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public Internal(String message) {
            super("internal", 500, message, null);
        }
    }

    /** The service or its store can't be reached or is overloaded. Nothing was changed; try again. */
    public static final class Unavailable extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public Unavailable(String message) {
            super("unavailable", 503, message, null);
        }
    }

    /** A write was sent and its answer never came: it may or may not have been applied. Read before trying again. */
    public static final class Indeterminate extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public Indeterminate(String message) {
            super("indeterminate", 504, message, null);
        }
    }

    /**
     * The store is out of space: writes are refused until an operator makes room. Running jobs are not affected. The very
     * write that ran out of space may have been applied all the same.
     */
    public static final class StorageFull extends HeadmastException {
        private static final long serialVersionUID = 1L;

        public StorageFull(String message) {
            super("storage-full", 507, message, null);
        }
    }

    /**
     * The exception that stands for a problem report of a server.
     *
     * @param type the {@link #type()} the server named; when it is not known here, {@code status} decides
     * @param status the HTTP status of the answer
     * @param detail what the server said, complete with the field's name; kept as it is
     * @param field the field that is at fault, as far as the server named one
     */
    public static HeadmastException of(String type, int status, String detail, @Nullable String field) {
        return switch (type) {
            case "invalid" -> new Invalid(detail, Optional.ofNullable(field));
            case "unauthorized" -> new Unauthorized(detail);
            case "not-found" -> new NotFound(detail);
            case "already-exists" -> new AlreadyExists(detail);
            case "conflict" -> new Conflict(detail);
            case "gone" -> new Gone(detail);
            case "precondition-failed" -> new PreconditionFailed(detail);
            case "too-large" -> new TooLarge(detail);
            case "internal" -> new Internal(detail);
            case "unavailable" -> new Unavailable(detail);
            case "indeterminate" -> new Indeterminate(detail);
            case "storage-full" -> new StorageFull(detail);
            default -> ofStatus(status, detail, field);
        };
    }

    private static HeadmastException ofStatus(int status, String detail, @Nullable String field) {
        return switch (status) {
            case 401, 403 -> new Unauthorized(detail);
            case 404 -> new NotFound(detail);
            case 409 -> new Conflict(detail);
            case 410 -> new Gone(detail);
            case 412 -> new PreconditionFailed(detail);
            case 413 -> new TooLarge(detail);
            case 408, 429, 503 -> new Unavailable(detail);
            // A gateway says so when it has passed the request on and got no answer that it understands.
            case 502, 504 -> new Indeterminate(detail);
            case 507 -> new StorageFull(detail);
            default -> status >= 500 ? new Internal(detail) : new Invalid(detail, Optional.ofNullable(field));
        };
    }
}
