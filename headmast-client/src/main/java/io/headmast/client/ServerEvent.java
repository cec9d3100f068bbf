// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.client;

import io.headmast.api.Payload;
import java.util.List;

/**
 * An event of a stream, complete.
 *
 * @param id the last one that was given up to this event; empty before the first
 * @param type {@code message} where none is given
 * @param data its lines
 */
record ServerEvent(String id, String type, List<Payload> data) {}
