// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
/** How an application tests itself without etcd. */
package io.headmast.examples.testing;
