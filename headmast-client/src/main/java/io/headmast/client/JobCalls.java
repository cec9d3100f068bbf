// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.ClusterView;
import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.JobAction;
import io.headmast.api.JobOrder;
import io.headmast.api.JobOutcomes;
import io.headmast.api.JobPage;
import io.headmast.api.JobPath;
import io.headmast.api.JobQuery;
import io.headmast.api.JobView;
import io.headmast.api.Named;
import io.headmast.api.Names;
import io.headmast.api.Payload;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** The calls about jobs and the cluster; ids are checked here, before anything is sent. */
final class JobCalls {
    private static final String JOBS = "jobs";
    private static final String WATCH = "watch";

    private JobCalls() {}

    /** May be repeated: the server takes the identical job a second time for the first. */
    static Call<JobView> create(Job job) {
        return Call.of(Request.of("POST", Target.of(JOBS)).with(job.toJson()), Repeat.IDEMPOTENT, JobCalls::view);
    }

    /**
     * May be repeated, as the creation of one.
     *
     * @param records the JSON of each job
     */
    static Call<JobOutcomes> createMany(List<byte[]> records) {
        Request request = Request.of("POST", Target.of(JOBS).verb("batch")).with(array(records));
        return Call.of(request, Repeat.IDEMPOTENT, answer -> {
            JobOutcomes outcomes = JobOutcomes.fromJson(answer.json());
            if (outcomes.items().size() != records.size()) {
                throw new HeadmastException.Invalid("items", "must be one for each of " + records.size() + " jobs");
            }
            return outcomes;
        });
    }

    static Call<JobOutcomes> controlMany(JobOrder order) {
        Request request = Request.of("POST", Target.of(JOBS).verb("orders")).with(order.toJson());
        Repeat repeat = order.action().order().map(JobCalls::repeat).orElse(Repeat.IDEMPOTENT);
        return Call.of(request, repeat, answer -> JobOutcomes.fromJson(answer.json()));
    }

    private static Payload array(List<byte[]> elements) {
        ByteArrayOutputStream array = new ByteArrayOutputStream();
        array.write('[');
        for (int i = 0; i < elements.size(); i++) {
            if (i > 0) {
                array.write(',');
            }
            array.writeBytes(elements.get(i));
        }
        array.write(']');
        return Payload.wrap(array.toByteArray());
    }

    static Call<Optional<JobView>> get(String id) {
        return Call.of(Request.of("GET", job(id)), Repeat.READ, answer -> Optional.of(view(answer)))
                .orIfAbsent(Optional.empty());
    }

    static Call<JobPage> page(JobQuery query) {
        Target target = Target.of(JOBS)
                .with("domain", query.domain())
                .with("status", query.status().map(Named::wireName))
                .with("state", query.phase().map(Named::wireName))
                .with("worker", query.worker());
        for (Map.Entry<String, String> label : query.labels().entrySet()) {
            target = target.with("label", label.getKey() + "=" + label.getValue());
        }
        target = target.with("limit", Integer.toString(query.limit())).with("cursor", query.cursor());
        return Call.of(Request.of("GET", target), Repeat.READ, answer -> JobPage.fromJson(answer.json()));
    }

    /** May be repeated: the revision admits one of the attempts only. */
    static Call<JobView> update(Job job, long revision) {
        Request request = Request.of("PUT", job(job.id())).with(job.toJson()).ifMatch(OptionalLong.of(revision));
        return Call.of(request, Repeat.IDEMPOTENT, JobCalls::view);
    }

    static Call<JobView> control(String id, JobAction action, OptionalLong revision) {
        Request request = Request.of("POST", Target.of(JOBS, Names.require("id", id), action.wireName()))
                .ifMatch(revision);
        return Call.of(request, revision.isPresent() ? Repeat.IDEMPOTENT : repeat(action), JobCalls::view);
    }

    static Call<Deletion> delete(String id) {
        return Call.of(Request.of("DELETE", job(id)), Repeat.IDEMPOTENT, JobCalls::deletion)
                .orIfAbsent(Deletion.ABSENT);
    }

    /** @param adopt takes the stream over as soon as it is there */
    static Call<EventStream> watch(JobPath path, WatchOptions from, UnaryOperator<EventStream> adopt) {
        Target target = watched(path);
        if (from.after().isPresent()) {
            target = target.with("revision", Long.toString(from.after().getAsLong()));
        }
        if (!from.payloads()) {
            target = target.with("payload", "false");
        }
        return Call.of(Request.stream(target), Repeat.READ, answer -> adopt.apply(answer.stream()));
    }

    private static Target watched(JobPath path) {
        if (path instanceof JobPath.OfJob one) {
            return Target.of(WATCH, JOBS, one.id());
        }
        return path instanceof JobPath.OfDomain many
                ? Target.of(WATCH, JOBS, "domain", many.domain())
                : Target.of(WATCH, JOBS);
    }

    static Call<ClusterView> cluster() {
        return Call.of(
                Request.of("GET", Target.of("cluster")), Repeat.READ, answer -> ClusterView.fromJson(answer.json()));
    }

    /** Those that raise the generation would run a job once more when they arrive twice. */
    private static Repeat repeat(JobAction action) {
        return switch (action) {
            case KILL, STOP, LOAD, UNLOAD -> Repeat.IDEMPOTENT;
            case ALIVE, START, RESTART -> Repeat.ONCE;
        };
    }

    private static Target job(String id) {
        return Target.of(JOBS, Names.require("id", id));
    }

    private static Deletion deletion(Answer answer) {
        return answer.isAccepted() ? Deletion.STOPPING : answer.noContent(Deletion.GONE);
    }

    private static JobView view(Answer answer) {
        return JobView.fromJson(answer.json());
    }
}
