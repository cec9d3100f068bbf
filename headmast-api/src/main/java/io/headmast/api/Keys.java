// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where everything lies in etcd. The prefix is configurable; below it:
 *
 * <pre>
 * jobs/{jobId}                         the job's record
 * states/{jobId}                       the state of its run
 * workers/{workerId}                   a worker's registration, on its lease
 * workers/{workerId}/jobs/{jobId}      an assignment, on that lease: the working path
 * workers/{workerId}/killers/{jobId}   a kill order, on that lease: the killer path
 * cordons/{workerId}                   an operator's mark
 * servers/{serverId}                   a server's announcement, on its lease
 * leader                               the scheduling server, on its lease
 * </pre>
 *
 * <p>Ids are checked by {@link Names} before they come here.
 */
public record Keys(String prefix) {
    public static final String DEFAULT_PREFIX = "/headmast";

    /** The layout under {@link #DEFAULT_PREFIX}. */
    public static final Keys DEFAULT = new Keys(DEFAULT_PREFIX);

    private static final String JOBS = "/jobs/";
    private static final String KILLERS = "/killers/";

    /** @throws HeadmastException.Invalid unless the prefix is {@code /name} or {@code /name/name…} */
    public Keys {
        if (!prefix.matches("(/[A-Za-z0-9._\\-]+)+")) {
            throw new HeadmastException.Invalid("prefix", "must look like /headmast or /team/headmast");
        }
    }

    /** What every key begins with. */
    public String all() {
        return prefix + "/";
    }

    /** What the key of every job begins with. */
    public String jobs() {
        return prefix + JOBS;
    }

    public String job(String jobId) {
        return prefix + JOBS + jobId;
    }

    public String state(String jobId) {
        return prefix + "/states/" + jobId;
    }

    /** What the registration of every worker begins with; deeper keys begin with it too. */
    public String workers() {
        return prefix + "/workers/";
    }

    public String worker(String workerId) {
        return workers() + workerId;
    }

    /** What everything a worker reads or owns begins with, its registration apart. */
    public String workerTree(String workerId) {
        return worker(workerId) + "/";
    }

    /** What every assignment of a worker begins with. */
    public String workingPath(String workerId) {
        return worker(workerId) + JOBS;
    }

    /** What every kill order of a worker begins with. */
    public String killerPath(String workerId) {
        return worker(workerId) + KILLERS;
    }

    public String assignment(String workerId, String jobId) {
        return workingPath(workerId) + jobId;
    }

    public String killer(String workerId, String jobId) {
        return killerPath(workerId) + jobId;
    }

    public String cordon(String workerId) {
        return prefix + "/cordons/" + workerId;
    }

    public String server(String serverId) {
        return prefix + "/servers/" + serverId;
    }

    public String leader() {
        return prefix + "/leader";
    }

    /** What a key names; empty for one that is not of this layout. */
    public Optional<Name> parse(String key) {
        if (!key.startsWith(all())) {
            return Optional.empty();
        }
        String[] parts = key.substring(all().length()).split("/", -1);
        for (String part : parts) {
            if (!Names.isValid(part)) {
                return Optional.empty();
            }
        }
        return Optional.ofNullable(
                switch (parts.length) {
                    case 1 -> parts[0].equals("leader") ? new Name.Leader() : null;
                    case 2 -> pair(parts[0], parts[1]);
                    case 4 -> parts[0].equals("workers") ? ofWorker(parts[1], parts[2], parts[3]) : null;
                    default -> null;
                });
    }

    private static @Nullable Name pair(String kind, String id) {
        return switch (kind) {
            case "jobs" -> new Name.OfJob(id);
            case "states" -> new Name.OfState(id);
            case "workers" -> new Name.OfWorker(id);
            case "cordons" -> new Name.OfCordon(id);
            case "servers" -> new Name.OfServer(id);
            default -> null;
        };
    }

    private static @Nullable Name ofWorker(String workerId, String kind, String jobId) {
        return switch (kind) {
            case "jobs" -> new Name.OfAssignment(workerId, jobId);
            case "killers" -> new Name.OfKiller(workerId, jobId);
            default -> null;
        };
    }

    /** What a key names. */
    public sealed interface Name {
        record OfJob(String jobId) implements Name {}

        record OfState(String jobId) implements Name {}

        record OfWorker(String workerId) implements Name {}

        record OfAssignment(String workerId, String jobId) implements Name {}

        record OfKiller(String workerId, String jobId) implements Name {}

        record OfCordon(String workerId) implements Name {}

        record OfServer(String serverId) implements Name {}

        record Leader() implements Name {}
    }
}
