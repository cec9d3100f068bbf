// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import com.google.gson.JsonObject;
import io.headmast.api.Names;
import io.headmast.api.WorkerView;
import io.headmast.api.json.JsonFields;
import java.util.List;
import java.util.Optional;

/** The calls about workers; ids are checked here, before anything is sent. */
final class WorkerCalls {
    private static final String WORKERS = "workers";

    private WorkerCalls() {}

    static Call<List<WorkerView>> list() {
        return Call.of(
                Request.of("GET", Target.of(WORKERS)),
                Repeat.READ,
                answer -> new JsonFields(answer.json())
                        .requiredObjects("items").stream()
                                .map(WorkerView::fromJson)
                                .toList());
    }

    static Call<Optional<WorkerView>> get(String id) {
        return Call.of(Request.of("GET", worker(id)), Repeat.READ, answer -> Optional.of(view(answer)))
                .orIfAbsent(Optional.empty());
    }

    /** Sets or takes away a mark: {@code cordon}, {@code drain} or {@code uncordon}. */
    static Call<WorkerView> mark(String id, String action, String reason, String by) {
        JsonObject body = new JsonObject();
        body.addProperty("reason", reason);
        body.addProperty("by", by);
        Request request = Request.of("POST", Target.of(WORKERS, Names.require("id", id), action))
                .with(body);
        return Call.of(request, Repeat.IDEMPOTENT, WorkerCalls::view);
    }

    /** Answers whether there was something to remove. */
    static Call<Boolean> remove(String id) {
        return Call.of(Request.of("DELETE", worker(id)), Repeat.IDEMPOTENT, answer -> answer.noContent(true))
                .orIfAbsent(false);
    }

    private static Target worker(String id) {
        return Target.of(WORKERS, Names.require("id", id));
    }

    private static WorkerView view(Answer answer) {
        return WorkerView.fromJson(answer.json());
    }
}
