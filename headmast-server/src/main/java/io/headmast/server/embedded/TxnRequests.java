// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.headmast.core.store.memory.EtcdCompare;
import io.headmast.core.store.memory.EtcdCompare.Relation;
import io.headmast.core.store.memory.EtcdCompare.Target;
import io.headmast.core.store.memory.EtcdOp;
import io.headmast.core.store.memory.EtcdTxn;
import io.headmast.core.store.memory.TxnLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Requests to write as the engine wants them; refused as etcd refuses what needs no look at the store. */
final class TxnRequests {
    /** What etcd's API added after the stubs in use here were made: a compare of leases, as a field that they don't know. */
    private static final int LEASE_TARGET = 4;

    private static final int LEASE_FIELD = 8;

    private TxnRequests() {}

    /** @throws io.grpc.StatusRuntimeException if etcd would refuse it */
    static EtcdTxn txn(TxnRequest request) {
        EtcdTxn txn = convert(request);
        TxnLimits.problem(txn).ifPresent(problem -> {
            throw EtcdStatus.of(problem).asRuntimeException();
        });
        return txn;
    }

    static EtcdOp.Put put(PutRequest request) {
        requireKey(request.getKey());
        if (request.getIgnoreValue() && !request.getValue().isEmpty()) {
            throw EtcdStatus.VALUE_PROVIDED.asRuntimeException();
        }
        if (request.getIgnoreLease() && request.getLease() != 0) {
            throw EtcdStatus.LEASE_PROVIDED.asRuntimeException();
        }
        return new EtcdOp.Put(
                Wire.key(request.getKey()),
                request.getIgnoreValue() ? Optional.empty() : Optional.of(Wire.value(request.getValue())),
                request.getIgnoreLease() ? OptionalLong.empty() : OptionalLong.of(request.getLease()));
    }

    static EtcdOp.Delete delete(DeleteRangeRequest request) {
        requireKey(request.getKey());
        return new EtcdOp.Delete(Wire.range(request.getKey(), request.getRangeEnd()));
    }

    /** Whether it reads only: then etcd doesn't mind its size. */
    static boolean readsOnly(TxnRequest request) {
        return request.getSuccessList().stream().allMatch(RequestOp::hasRequestRange)
                && request.getFailureList().stream().allMatch(RequestOp::hasRequestRange);
    }

    private static EtcdTxn convert(TxnRequest request) {
        List<EtcdCompare> compares = new ArrayList<>(request.getCompareCount());
        for (Compare compare : request.getCompareList()) {
            compares.add(compare(compare));
        }
        return new EtcdTxn(compares, ops(request.getSuccessList()), ops(request.getFailureList()));
    }

    private static List<EtcdOp> ops(List<RequestOp> requests) {
        List<EtcdOp> ops = new ArrayList<>(requests.size());
        for (RequestOp request : requests) {
            switch (request.getRequestCase()) {
                case REQUEST_RANGE -> ops.add(new RangeQuery(request.getRequestRange()).operation());
                case REQUEST_PUT -> ops.add(put(request.getRequestPut()));
                case REQUEST_DELETE_RANGE -> ops.add(delete(request.getRequestDeleteRange()));
                case REQUEST_TXN -> ops.add(new EtcdOp.Nested(convert(request.getRequestTxn())));
                case REQUEST_NOT_SET -> throw EtcdStatus.KEY_NOT_FOUND.asRuntimeException();
            }
        }
        return ops;
    }

    private static void requireKey(ByteString key) {
        if (key.isEmpty()) {
            throw EtcdStatus.EMPTY_KEY.asRuntimeException();
        }
    }

    private static EtcdCompare compare(Compare compare) {
        requireKey(compare.getKey());
        Relation relation = switch (compare.getResult()) {
            case EQUAL, UNRECOGNIZED -> Relation.EQUAL;
            case GREATER -> Relation.GREATER;
            case LESS -> Relation.LESS;
            case NOT_EQUAL -> Relation.NOT_EQUAL;
        };
        return new EtcdCompare(Wire.range(compare.getKey(), compare.getRangeEnd()), relation, target(compare));
    }

    private static Target target(Compare compare) {
        if (compare.getTargetValue() == LEASE_TARGET) {
            List<Long> lease = compare.getUnknownFields().getField(LEASE_FIELD).getVarintList();
            return new Target.LeaseId(lease.isEmpty() ? 0 : lease.get(lease.size() - 1));
        }
        return switch (compare.getTarget()) {
            case VERSION, UNRECOGNIZED -> new Target.Version(compare.getVersion());
            case CREATE -> new Target.CreateRevision(compare.getCreateRevision());
            case MOD -> new Target.ModRevision(compare.getModRevision());
            case VALUE -> new Target.Value(Wire.value(compare.getValue()));
        };
    }
}
