// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeRequest.SortOrder;
import io.etcd.jetcd.api.RangeRequest.SortTarget;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.List;
import java.util.Random;

/** Requests of every shape, from a seed, on a few keys, so that they meet. */
final class RandomRequests {
    private static final int KEYS = 6;
    private static final int LEASE_TARGET = 4;
    private static final int LEASE_FIELD = 8;

    private final Random random;
    private final List<Long> leases;

    /** @param leases the ids that puts and compares name; some of them dead */
    RandomRequests(Random random, List<Long> leases) {
        this.random = random;
        this.leases = leases;
    }

    /** @param revision where the store stands */
    RangeRequest range(long revision) {
        RangeRequest.Builder range = RangeRequest.newBuilder().setKey(key());
        if (random.nextInt(4) > 0) {
            range.setRangeEnd(end());
        }
        if (random.nextInt(3) == 0) {
            range.setLimit(random.nextInt(KEYS));
        }
        if (random.nextInt(3) == 0) {
            range.setRevision(around(revision));
        }
        if (random.nextInt(3) == 0) {
            range.setSortOrder(pick(SortOrder.NONE, SortOrder.ASCEND, SortOrder.DESCEND))
                    .setSortTarget(pick(
                            SortTarget.KEY, SortTarget.VERSION, SortTarget.CREATE, SortTarget.MOD, SortTarget.VALUE));
        }
        switch (random.nextInt(8)) {
            case 0 -> range.setMinModRevision(around(revision));
            case 1 -> range.setMaxModRevision(around(revision));
            case 2 -> range.setMinCreateRevision(around(revision));
            case 3 -> range.setMaxCreateRevision(around(revision));
            case 4 -> range.setKeysOnly(true);
            case 5 -> range.setCountOnly(true);
            case 6 -> range.setSerializable(true);
            default -> range.setKeysOnly(false);
        }
        return range.build();
    }

    PutRequest put() {
        PutRequest.Builder put = PutRequest.newBuilder().setKey(key()).setPrevKv(random.nextBoolean());
        boolean keepsValue = random.nextInt(6) == 0;
        boolean keepsLease = random.nextInt(6) == 0;
        put.setIgnoreValue(keepsValue).setIgnoreLease(keepsLease);
        if (!keepsValue || random.nextInt(8) == 0) {
            put.setValue(value());
        }
        if (random.nextInt(4) == 0 && (!keepsLease || random.nextInt(8) == 0)) {
            put.setLease(lease());
        }
        return put.build();
    }

    DeleteRangeRequest delete() {
        DeleteRangeRequest.Builder delete =
                DeleteRangeRequest.newBuilder().setKey(key()).setPrevKv(random.nextBoolean());
        if (random.nextInt(3) == 0) {
            delete.setRangeEnd(end());
        }
        return delete.build();
    }

    TxnRequest txn(long revision, int depth) {
        TxnRequest.Builder txn = TxnRequest.newBuilder();
        for (int i = random.nextInt(3); i > 0; i--) {
            txn.addCompare(compare(revision));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            txn.addSuccess(op(revision, depth));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            txn.addFailure(op(revision, depth));
        }
        return txn.build();
    }

    private RequestOp op(long revision, int depth) {
        RequestOp.Builder op = RequestOp.newBuilder();
        return switch (random.nextInt(depth > 0 ? 6 : 5)) {
            case 0, 1 -> op.setRequestPut(put()).build();
            case 2 -> op.setRequestDeleteRange(delete()).build();
            case 3, 4 -> op.setRequestRange(range(revision)).build();
            default -> op.setRequestTxn(txn(revision, depth - 1)).build();
        };
    }

    private Compare compare(long revision) {
        Compare.Builder compare = Compare.newBuilder().setKey(key()).setResultValue(random.nextInt(4));
        if (random.nextInt(4) == 0) {
            compare.setRangeEnd(end());
        }
        switch (random.nextInt(5)) {
            case 0 -> compare.setTarget(Compare.CompareTarget.VERSION).setVersion(random.nextInt(3));
            case 1 ->
                compare.setTarget(Compare.CompareTarget.CREATE)
                        .setCreateRevision(random.nextInt(3) == 0 ? 0 : around(revision));
            case 2 ->
                compare.setTarget(Compare.CompareTarget.MOD)
                        .setModRevision(random.nextInt(3) == 0 ? 0 : around(revision));
            case 3 -> compare.setTarget(Compare.CompareTarget.VALUE).setValue(value());
            default ->
                compare.setTargetValue(LEASE_TARGET)
                        .setUnknownFields(UnknownFieldSet.newBuilder()
                                .addField(
                                        LEASE_FIELD,
                                        UnknownFieldSet.Field.newBuilder()
                                                .addVarint(random.nextBoolean() ? 0 : lease())
                                                .build())
                                .build());
        }
        return compare.build();
    }

    /** Mostly a revision that can be read, now and then one in the future. */
    private long around(long revision) {
        return Math.max(1, revision + 2 - random.nextInt(12));
    }

    private ByteString key() {
        return random.nextInt(40) == 0 ? ByteString.EMPTY : ByteString.copyFromUtf8("k" + random.nextInt(KEYS));
    }

    private ByteString end() {
        return ByteString.copyFromUtf8("k" + random.nextInt(KEYS + 1));
    }

    private ByteString value() {
        return ByteString.copyFromUtf8("v".repeat(random.nextInt(3)) + random.nextInt(3));
    }

    private long lease() {
        return leases.get(random.nextInt(leases.size()));
    }

    @SafeVarargs
    private <T> T pick(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
