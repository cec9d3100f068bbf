// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.schedule;

import io.headmast.api.Assignment;
import io.headmast.api.Keys;
import io.headmast.api.TargetState;
import io.headmast.api.json.Json;
import io.headmast.core.plan.Step;
import io.headmast.core.store.Compare;
import io.headmast.core.store.Op;
import io.headmast.core.store.Txn;
import java.util.ArrayList;
import java.util.List;

/** Turns steps into transactions that compare every fact the steps rest on. */
final class StepTransaction {
    private final Keys keys;

    StepTransaction(Keys keys) {
        this.keys = keys;
    }

    /**
     * The steps as nested transactions, in their order, in one that does nothing unless the leader key is at that
     * revision.
     */
    Txn fenced(List<Step> steps, PlanCommitter.Fence fence) {
        List<Op> nested = new ArrayList<>(steps.size());
        steps.forEach(step -> nested.add(new Op.Nested(of(step))));
        return new Txn(List.of(Compare.unmodified(fence.key(), fence.term())), nested);
    }

    Txn of(Step step) {
        if (step instanceof Step.Place place) {
            return place(place);
        } else if (step instanceof Step.Stop stop) {
            return stop(stop);
        } else if (step instanceof Step.Retarget retarget) {
            return retarget(retarget);
        } else if (step instanceof Step.Remove remove) {
            return remove(remove);
        }
        throw new IllegalStateException("no transaction for " + step);
    }

    private Txn place(Step.Place place) {
        Step.Target target = place.target();
        String assignment = keys.assignment(target.workerId(), place.jobId());
        List<Compare> compares = unchanged(place.facts());
        addFormerGone(place.facts(), compares);
        compares.add(Compare.absent(assignment));
        compares.add(Compare.created(keys.worker(target.workerId()), target.registration()));
        return new Txn(
                compares,
                List.of(
                        putAssignment(assignment, place.targetState(), target.lease()),
                        Op.put(keys.state(place.jobId()), place.state().toPayload())));
    }

    private Txn stop(Step.Stop stop) {
        Step.Target target = stop.target();
        List<Compare> compares = unchanged(stop.facts());
        compares.add(Compare.created(
                keys.assignment(target.workerId(), stop.jobId()), stop.order().epoch()));
        return new Txn(
                compares,
                List.of(Op.put(
                        keys.killer(target.workerId(), stop.jobId()),
                        Json.toPayload(stop.order().toJson()),
                        target.lease())));
    }

    private Txn retarget(Step.Retarget retarget) {
        Step.Target target = retarget.target();
        String assignment = keys.assignment(target.workerId(), retarget.jobId());
        return new Txn(
                List.of(
                        Compare.unmodified(
                                keys.job(retarget.jobId()), retarget.facts().jobRevision()),
                        Compare.created(assignment, retarget.epoch())),
                List.of(putAssignment(assignment, retarget.targetState(), target.lease())));
    }

    private Txn remove(Step.Remove remove) {
        List<Compare> compares = unchanged(remove.facts());
        addFormerGone(remove.facts(), compares);
        return new Txn(compares, List.of(Op.delete(keys.job(remove.jobId())), Op.delete(keys.state(remove.jobId()))));
    }

    private List<Compare> unchanged(Step.JobFacts facts) {
        List<Compare> compares = new ArrayList<>();
        compares.add(Compare.unmodified(keys.job(facts.jobId()), facts.jobRevision()));
        compares.add(Compare.unmodified(keys.state(facts.jobId()), facts.stateRevision()));
        return compares;
    }

    private void addFormerGone(Step.JobFacts facts, List<Compare> compares) {
        if (!facts.formerWorker().isEmpty()) {
            compares.add(Compare.absent(keys.assignment(facts.formerWorker(), facts.jobId())));
        }
    }

    private static Op putAssignment(String key, TargetState targetState, long lease) {
        return Op.put(key, Json.toPayload(new Assignment(targetState).toJson()), lease);
    }
}
