// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.faults.check;

import io.headmast.api.HeadmastException;
import io.headmast.api.Job;
import io.headmast.api.Keys;
import io.headmast.core.store.KeyValue;
import io.headmast.server.faults.check.Operation.Outcome;
import io.headmast.server.faults.check.Operation.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whatever record an answer showed was the store's at the revision that the answer named: what was acknowledged is
 * committed.
 */
final class AnswersWereTrue implements Check {
    private record Version(String job, long revision) {}

    @Override
    public String name() {
        return "answers-were-true";
    }

    @Override
    public List<String> violations(Evidence evidence) {
        Map<Version, Seen> versions = new HashMap<>();
        StoreView nothing = new StoreView(evidence.keys());
        for (Revision revision : evidence.store()) {
            for (KeyValue item : new StoreStep(revision, nothing, nothing).puts()) {
                evidence.keys().parse(item.key()).ifPresent(name -> {
                    if (name instanceof Keys.Name.OfJob of) {
                        versions.put(new Version(of.jobId(), revision.number()), seen(item));
                    }
                });
            }
        }
        List<String> violations = new ArrayList<>();
        for (Operation operation : evidence.operations()) {
            if (operation.outcome() instanceof Outcome.Shown shown) {
                Seen stored =
                        versions.get(new Version(operation.job(), shown.seen().revision()));
                if (!shown.seen().equals(stored)) {
                    violations.add(operation + ", and the store had " + stored);
                }
            }
        }
        return violations;
    }

    private static Seen seen(KeyValue item) {
        try {
            Job job = Job.unmarshalBinary(item.value().toByteArray());
            return new Seen(job.status(), job.targetState(), job.generation(), item.modRevision());
        } catch (HeadmastException.Invalid e) {
            throw new Inconclusive("a record can't be read: " + item.key());
        }
    }
}
