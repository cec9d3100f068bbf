// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** The one JSON encoding of headmast, for etcd's values and for HTTP alike. */
@NullMarked
package io.headmast.api.json;

import org.jspecify.annotations.NullMarked;
