// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.headmast.core.store.KeyValue;
import io.headmast.core.store.memory.EtcdOp;
import io.headmast.core.store.memory.EtcdResult;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A range request: what of it the engine does, and what is done with what that finds. */
final class RangeQuery {
    private final RangeRequest request;

    /** @throws io.grpc.StatusRuntimeException if etcd would refuse it */
    RangeQuery(RangeRequest request) {
        if (request.getKey().isEmpty()) {
            throw EtcdStatus.EMPTY_KEY.asRuntimeException();
        }
        this.request = request;
    }

    EtcdOp.Get operation() {
        // As there: a limit is handed on unless all is needed; a sort by something else than the key is not asked for
        // its
        // order sorts no more than that.
        long limit = picksAmongAll() || request.getLimit() <= 0 ? 0 : request.getLimit() + 1;
        return new EtcdOp.Get(
                Wire.range(request.getKey(), request.getRangeEnd()), Math.max(0, request.getRevision()), limit);
    }

    RangeResponse answer(EtcdResult.Got got, ResponseHeader header) {
        RangeResponse.Builder answer =
                RangeResponse.newBuilder().setHeader(header).setCount(got.count());
        if (request.getCountOnly()) {
            return answer.build();
        }
        List<KeyValue> items = sorted(got.items().stream().filter(this::wanted)).toList();
        long limit = request.getLimit();
        boolean more = limit > 0 && items.size() > limit;
        for (KeyValue item : more ? items.subList(0, (int) limit) : items) {
            answer.addKvs(request.getKeysOnly() ? Wire.keysOnly(item).build() : Wire.item(item));
        }
        return answer.setMore(more).build();
    }

    private boolean picksAmongAll() {
        return request.getSortOrder() != RangeRequest.SortOrder.NONE
                || request.getMinModRevision() != 0
                || request.getMaxModRevision() != 0
                || request.getMinCreateRevision() != 0
                || request.getMaxCreateRevision() != 0;
    }

    private boolean wanted(KeyValue item) {
        return within(item.modRevision(), request.getMinModRevision(), request.getMaxModRevision())
                && within(item.createRevision(), request.getMinCreateRevision(), request.getMaxCreateRevision());
    }

    private static boolean within(long revision, long min, long max) {
        return (min == 0 || revision >= min) && (max == 0 || revision <= max);
    }

    private Stream<KeyValue> sorted(Stream<KeyValue> items) {
        Comparator<KeyValue> ascending = switch (request.getSortTarget()) {
            case VERSION -> Comparator.comparingLong(KeyValue::version);
            case CREATE -> Comparator.comparingLong(KeyValue::createRevision);
            case MOD -> Comparator.comparingLong(KeyValue::modRevision);
            case VALUE -> Comparator.comparing(item -> item.value().toByteArray(), Arrays::compareUnsigned);
            case KEY, UNRECOGNIZED -> Comparator.comparing(KeyValue::key);
        };
        return items.sorted(
                request.getSortOrder() == RangeRequest.SortOrder.DESCEND ? ascending.reversed() : ascending);
    }
}
