// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.CompactionResponse;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.stub.StreamObserver;
import io.headmast.core.store.memory.EmbeddedEngine;
import io.headmast.core.store.memory.EtcdResult;
import io.headmast.core.store.memory.EtcdTxn;

/** etcd's KV service. */
final class KvFace extends KVGrpc.KVImplBase {
    private final EmbeddedEngine engine;
    private final Identity identity;
    private final Calls calls;

    KvFace(EmbeddedEngine engine, Identity identity, Calls calls) {
        this.engine = engine;
        this.identity = identity;
        this.calls = calls;
    }

    @Override
    public void range(RangeRequest request, StreamObserver<RangeResponse> to) {
        calls.read(
                request,
                () -> engine.txn(EtcdTxn.of(new RangeQuery(request).operation())),
                result -> new RangeQuery(request)
                        .answer((EtcdResult.Got) result.results().get(0), identity.header(result.revision())),
                to);
    }

    @Override
    public void put(PutRequest request, StreamObserver<PutResponse> to) {
        calls.write(
                request,
                () -> engine.put(TxnRequests.put(request)),
                result -> TxnAnswers.put(
                        request, (EtcdResult.Written) result.results().get(0), identity.header(result.revision())),
                to);
    }

    @Override
    public void deleteRange(DeleteRangeRequest request, StreamObserver<DeleteRangeResponse> to) {
        calls.write(
                request,
                () -> engine.txn(EtcdTxn.of(TxnRequests.delete(request))),
                result -> TxnAnswers.delete(
                        request, (EtcdResult.Deleted) result.results().get(0), identity.header(result.revision())),
                to);
    }

    @Override
    public void txn(TxnRequest request, StreamObserver<TxnResponse> to) {
        if (TxnRequests.readsOnly(request)) {
            calls.read(request, () -> engine.txn(TxnRequests.txn(request)), result -> answer(request, result), to);
        } else {
            calls.write(request, () -> engine.txn(TxnRequests.txn(request)), result -> answer(request, result), to);
        }
    }

    @Override
    public void compact(CompactionRequest request, StreamObserver<CompactionResponse> to) {
        calls.write(
                request,
                () -> engine.compact(request.getRevision()),
                revision -> CompactionResponse.newBuilder()
                        .setHeader(identity.header(revision))
                        .build(),
                to);
    }

    private TxnResponse answer(TxnRequest request, EtcdResult.Transaction result) {
        return TxnAnswers.txn(request, result, identity.header(result.revision()));
    }
}
