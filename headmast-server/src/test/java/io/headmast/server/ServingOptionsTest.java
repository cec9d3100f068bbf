// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.headmast.api.HeadmastException;
import io.headmast.api.Names;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServingOptionsTest {
    @Test
    void defaultsServeThisMachineAlone() {
        ServingOptions options = ServingOptions.builder().build();

        assertEquals(List.of(URI.create("http://127.0.0.1:2379")), options.etcdEndpoints());
        assertEquals("127.0.0.1", options.host());
        assertEquals(4430, options.port());
        assertEquals("roundbin", options.schedulePolicy());
        assertEquals(20, options.rebalanceRate());
        assertEquals(Duration.ofSeconds(10), options.leaseTtl());
        assertEquals("/headmast", options.prefix());
        assertEquals(512 * 1024, options.payloadLimit());
    }

    @Test
    void everyServerGetsAnIdOfItsOwn() {
        String id = ServingOptions.builder().build().serverId();

        assertTrue(Names.isValid(id), id);
        assertNotEquals(id, ServingOptions.builder().build().serverId());
    }

    @Test
    void bothSpellingsOfRoundRobinAreOnePolicy() {
        assertEquals(
                "roundbin",
                ServingOptions.builder().schedulePolicy("round-robin").build().schedulePolicy());
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd-1:2379", "http://10.0.0.1:2379", "https://etcd.example:2379/", "http://[::1]:2379"})
    void endpointIsAHostAndAPortWithOrWithoutAScheme(String text) {
        URI endpoint = ServingOptions.builder()
                .etcdEndpoints(text)
                .build()
                .etcdEndpoints()
                .get(0);

        assertEquals(2379, endpoint.getPort());
        assertEquals("", endpoint.getPath());
        assertTrue(endpoint.getScheme().startsWith("http"));
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                wrong("etcdEndpoints", builder -> builder.etcdEndpoints(List.of())),
                wrong("etcdEndpoints", builder -> builder.etcdEndpoints("")),
                wrong("etcdEndpoints", builder -> builder.etcdEndpoints("etcd")),
                wrong("etcdEndpoints", builder -> builder.etcdEndpoints("ftp://etcd:2379")),
                wrong("etcdEndpoints", builder -> builder.etcdEndpoints("http://etcd:2379/v3")),
                wrong("etcdEndpoints", builder -> builder.etcdEndpoints("http://u:p@etcd:2379")),
                wrong("etcdEndpoints", builder -> builder.etcdEndpoints("http://a b:1")),
                wrong("host", builder -> builder.host(" ")),
                wrong("port", builder -> builder.port(-1)),
                wrong("port", builder -> builder.port(65_536)),
                wrong("schedulePolicy", builder -> builder.schedulePolicy("random")),
                wrong("rebalanceRate", builder -> builder.rebalanceRate(-1)),
                wrong("rebalanceRate", builder -> builder.rebalanceRate(1001)),
                wrong("serverId", builder -> builder.serverId("a/b")),
                wrong("leaseTtl", builder -> builder.leaseTtl(Duration.ofMillis(1999))),
                wrong("leaseTtl", builder -> builder.leaseTtl(Duration.ofHours(2))),
                wrong("prefix", builder -> builder.prefix("headmast")),
                wrong("payloadLimit", builder -> builder.payloadLimit(1024 * 1024 + 1)));
    }

    private static Arguments wrong(String field, UnaryOperator<ServingOptions.Builder> change) {
        return Arguments.of(field, change);
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void wrongOptionIsRefusedByName(String field, UnaryOperator<ServingOptions.Builder> change) {
        ServingOptions.Builder builder = change.apply(ServingOptions.builder());

        assertEquals(
                Optional.of(field),
                assertThrows(HeadmastException.Invalid.class, builder::build).field());
    }
}
