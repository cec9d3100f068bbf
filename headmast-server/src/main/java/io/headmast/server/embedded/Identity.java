// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.ResponseHeader;

/** Who answers: a cluster of one member, in its first term as the leader. */
record Identity(long clusterId, long memberId) {
    static final long RAFT_TERM = 2;

    ResponseHeader header(long revision) {
        return ResponseHeader.newBuilder()
                .setClusterId(clusterId)
                .setMemberId(memberId)
                .setRevision(revision)
                .setRaftTerm(RAFT_TERM)
                .build();
    }
}
