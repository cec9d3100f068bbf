// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class EtcdClusterTest {
    @Test
    void whatOneMemberTakesTheOthersHaveAlsoWithoutIt() {
        try (EtcdCluster cluster = EtcdCluster.start()) {
            List<EtcdServer> members = cluster.members();
            members.get(0).etcdctl("put", "a", "1");
            assertEquals("a\n1\n", members.get(1).etcdctl("get", "a"));
            members.get(0).kill9();
            members.get(1).awaitHealth();
            members.get(1).etcdctl("put", "a", "2");
            assertEquals("a\n2\n", members.get(2).etcdctl("get", "a"));
            members.get(0).restart();
            assertEquals("a\n2\n", members.get(0).etcdctl("get", "a"));
        }
    }
}
