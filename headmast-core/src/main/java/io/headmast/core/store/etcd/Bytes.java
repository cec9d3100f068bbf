// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.core.store.etcd;

import io.etcd.jetcd.ByteSequence;
import io.headmast.api.Payload;
import io.headmast.core.store.KeyRange;
import io.headmast.core.store.KeyValue;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Keys, values and ranges as jetcd wants them, and back. A key's characters are its bytes. */
final class Bytes {
    /** As the beginning of a range: before every key. As its end: after every key. */
    private static final ByteSequence ZERO = ByteSequence.from(new byte[] {0});

    private Bytes() {}

    static ByteSequence of(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.ISO_8859_1);
        return ByteSequence.from(bytes);
    }

    static ByteSequence of(Payload value) {
        return ByteSequence.from(value.toByteArray());
    }

    static ByteSequence from(KeyRange range) {
        return range.from().isEmpty() ? ZERO : of(range.from());
    }

    /** The end of a range; none for a single key, which etcd finds without a scan. */
    static Optional<ByteSequence> to(KeyRange range) {
        if (range.isKey()) {
            return Optional.empty();
        }
        return Optional.of(range.to().isEmpty() ? ZERO : of(range.to()));
    }

    static String key(ByteSequence bytes) {
        return new String(bytes.getBytes(), StandardCharsets.ISO_8859_1);
    }

    static KeyValue item(io.etcd.jetcd.KeyValue item) {
        return new KeyValue(
                key(item.getKey()),
                Payload.wrap(item.getValue().getBytes()),
                item.getCreateRevision(),
                item.getModRevision(),
                item.getVersion(),
                item.getLease());
    }
}
