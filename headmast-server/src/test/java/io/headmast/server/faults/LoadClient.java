// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobView;
import io.headmast.client.ClientOptions;
import io.headmast.client.Deletion;
import io.headmast.client.HeadmastClient;
import io.headmast.client.Retries;
import io.headmast.server.faults.check.Operation.Kind;
import io.headmast.server.faults.check.Operation.Outcome;
import io.headmast.server.faults.check.Operation.Seen;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A client that writes down what it asks and is told. Each call goes to one server, once: what a repeated one would have
 * done is two operations to the history. Thread-safe.
 */
final class LoadClient implements AutoCloseable {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(8);
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(1);

    private final OperationLog log;
    private final List<HeadmastClient> servers;

    LoadClient(OperationLog log, List<URI> servers) {
        this.log = log;
        this.servers = servers.stream().map(LoadClient::client).toList();
    }

    private static HeadmastClient client(URI server) {
        return HeadmastClient.create(ClientOptions.builder()
                .servers(List.of(server))
                .connectTimeout(CONNECT_LIMIT)
                .requestTimeout(ANSWER_LIMIT)
                .retries(Retries.NONE)
                .build());
    }

    int servers() {
        return servers.size();
    }

    /** Asks one of the servers. Whatever it is told is an outcome, except that it asked for nonsense. */
    void call(int server, Kind kind, String job) {
        long id = log.invoke(kind, job);
        try {
            Outcome outcome = send(servers.get(server), kind, job);
            log.outcome(id, outcome, "");
        } catch (HeadmastException.NotFound e) {
            log.outcome(id, new Outcome.Absent(), "");
        } catch (HeadmastException.Conflict | HeadmastException.AlreadyExists e) {
            log.outcome(id, new Outcome.Refused(), e.type());
        } catch (HeadmastException.Unavailable e) {
            log.outcome(id, new Outcome.Failed(), e.type());
        } catch (HeadmastException.Indeterminate | HeadmastException.StorageFull | HeadmastException.Internal e) {
            log.outcome(id, new Outcome.Unknown(), e.type());
        }
    }

    private static Outcome send(HeadmastClient client, Kind kind, String job) {
        return switch (kind) {
            case SUBMIT -> shown(client.createNewJob(Job.builder().id(job).build()));
            case KILL -> shown(client.controlJob(job, JobAction.KILL));
            case ALIVE -> shown(client.controlJob(job, JobAction.ALIVE));
            case RESTART -> shown(client.controlJob(job, JobAction.RESTART));
            case START -> shown(client.controlJob(job, JobAction.START));
            case STOP -> shown(client.controlJob(job, JobAction.STOP));
            case DELETE -> client.deleteJob(job) == Deletion.ABSENT ? new Outcome.Absent() : new Outcome.Accepted();
            case READ -> read(client.getJob(job));
        };
    }

    private static Outcome read(Optional<JobView> found) {
        return found.isPresent() ? shown(found.get()) : new Outcome.Absent();
    }

    private static Outcome shown(JobView view) {
        Job job = view.job();
        return new Outcome.Shown(new Seen(job.status(), job.targetState(), job.generation(), view.revision()));
    }

    @Override
    public void close() {
        servers.forEach(HeadmastClient::close);
    }
}
