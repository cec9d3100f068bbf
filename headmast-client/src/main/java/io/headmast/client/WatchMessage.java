// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.HeadmastException;
import io.headmast.api.JobChange;
import io.headmast.api.Payload;
import io.headmast.api.Problem;
import io.headmast.api.json.Json;
import java.util.List;
import java.util.regex.Pattern;

/** What a server tells in a stream of changes. */
sealed interface WatchMessage {
    Pattern REVISION = Pattern.compile("\\d{1,18}");

    /** Everything up to that revision was told. */
    record Progress(long revision) implements WatchMessage {}

    /** All that was changed at one revision. */
    record Changes(long revision, List<JobChange> changes) implements WatchMessage {}

    /** The stream ends here. */
    record End(HeadmastException why) implements WatchMessage {}

    /** Something of a later version, to be passed over. */
    record Unknown() implements WatchMessage {}

    /** @throws HeadmastException.Invalid if the event is not what its type promises */
    static WatchMessage of(ServerEvent event) {
        return switch (event.type()) {
            case "progress" -> new Progress(revision(event));
            case "changes" ->
                new Changes(
                        revision(event),
                        event.data().stream()
                                .map(line -> JobChange.fromJson(Json.parseObject(line.toByteArray())))
                                .toList());
            case "end" -> new End(problem(event));
            default -> new Unknown();
        };
    }

    private static long revision(ServerEvent event) {
        if (!REVISION.matcher(event.id()).matches()) {
            throw new HeadmastException.Invalid("id", "must be a revision");
        }
        return Long.parseLong(event.id());
    }

    /** Its last line: those before it belong to what could not be told to its end. */
    private static HeadmastException problem(ServerEvent event) {
        Payload last = event.data().get(event.data().size() - 1);
        return Problem.fromJson(Json.parseObject(last.toByteArray())).toException();
    }
}
