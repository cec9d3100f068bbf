// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.http;

import java.util.concurrent.CompletionStage;

/**
 * Answers requests of one route. May throw, or let its stage fail with, a {@link io.headmast.api.HeadmastException};
 * that becomes a problem report. Called on many threads at once, and returns without waiting.
 */
@FunctionalInterface
public interface Endpoint {
    CompletionStage<Response> answer(Request request);
}
