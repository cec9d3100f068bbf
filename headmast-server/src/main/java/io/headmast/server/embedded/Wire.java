// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.etcd.jetcd.api.Event;
import io.headmast.api.Payload;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.WatchEvent;
import io.headmast.core.store.memory.EtcdChange;
import java.nio.charset.StandardCharsets;

/** Keys, ranges and values between the wire and the engine. */
final class Wire {
    /** As the end of a range: after every key. */
    private static final ByteString ZERO = ByteString.copyFrom(new byte[] {0});

    private Wire() {}

    /** A key whose characters are its bytes. */
    static String key(ByteString bytes) {
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    static ByteString bytes(String key) {
        return ByteString.copyFrom(key, StandardCharsets.ISO_8859_1);
    }

    static Payload value(ByteString bytes) {
        return Payload.wrap(bytes.toByteArray());
    }

    /** A single key if there is no end. */
    static KeyRange range(ByteString key, ByteString end) {
        if (end.isEmpty()) {
            return KeyRange.key(key(key));
        }
        return new KeyRange(key(key), end.equals(ZERO) ? "" : key(end));
    }

    static io.etcd.jetcd.api.KeyValue item(KeyValue item) {
        return keysOnly(item)
                .setValue(UnsafeByteOperations.unsafeWrap(item.value().toByteArray()))
                .build();
    }

    /** The item but its value. */
    static io.etcd.jetcd.api.KeyValue.Builder keysOnly(KeyValue item) {
        return io.etcd.jetcd.api.KeyValue.newBuilder()
                .setKey(bytes(item.key()))
                .setCreateRevision(item.createRevision())
                .setModRevision(item.modRevision())
                .setVersion(item.version())
                .setLease(item.lease());
    }

    static Event event(EtcdChange change) {
        Event.Builder event = Event.newBuilder();
        if (change.event() instanceof WatchEvent.Put put) {
            event.setType(Event.EventType.PUT).setKv(item(put.current()));
        } else {
            event.setType(Event.EventType.DELETE)
                    .setKv(io.etcd.jetcd.api.KeyValue.newBuilder()
                            .setKey(bytes(change.event().key()))
                            .setModRevision(change.event().revision()));
        }
        change.before().ifPresent(before -> event.setPrevKv(item(before)));
        return event.build();
    }
}
