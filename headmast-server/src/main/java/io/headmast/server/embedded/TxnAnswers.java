// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.DeleteRangeResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.PutResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.headmast.core.store.memory.EtcdResult;
import java.util.List;

/** What the engine did, as the answers to the requests that asked for it. */
final class TxnAnswers {
    private TxnAnswers() {}

    static TxnResponse txn(TxnRequest request, EtcdResult.Transaction result, ResponseHeader header) {
        return txn(request, result.succeeded(), result.results(), header);
    }

    static PutResponse put(PutRequest request, EtcdResult.Written written, ResponseHeader header) {
        PutResponse.Builder answer = PutResponse.newBuilder().setHeader(header);
        if (request.getPrevKv()) {
            written.before().ifPresent(before -> answer.setPrevKv(Wire.item(before)));
        }
        return answer.build();
    }

    static DeleteRangeResponse delete(DeleteRangeRequest request, EtcdResult.Deleted deleted, ResponseHeader header) {
        DeleteRangeResponse.Builder answer = DeleteRangeResponse.newBuilder()
                .setHeader(header)
                .setDeleted(deleted.before().size());
        if (request.getPrevKv()) {
            deleted.before().forEach(before -> answer.addPrevKvs(Wire.item(before)));
        }
        return answer.build();
    }

    private static TxnResponse txn(
            TxnRequest request, boolean succeeded, List<EtcdResult> results, ResponseHeader header) {
        TxnResponse.Builder answer = TxnResponse.newBuilder().setHeader(header).setSucceeded(succeeded);
        List<RequestOp> ops = succeeded ? request.getSuccessList() : request.getFailureList();
        for (int i = 0; i < ops.size(); i++) {
            answer.addResponses(operation(ops.get(i), results.get(i)));
        }
        return answer.build();
    }

    private static ResponseOp operation(RequestOp request, EtcdResult result) {
        ResponseOp.Builder answer = ResponseOp.newBuilder();
        if (result instanceof EtcdResult.Written written) {
            answer.setResponsePut(put(request.getRequestPut(), written, inner(written.revision())));
        } else if (result instanceof EtcdResult.Deleted deleted) {
            answer.setResponseDeleteRange(delete(request.getRequestDeleteRange(), deleted, inner(deleted.revision())));
        } else if (result instanceof EtcdResult.Got got) {
            answer.setResponseRange(new RangeQuery(request.getRequestRange()).answer(got, inner(got.revision())));
        } else if (result instanceof EtcdResult.Branched branched) {
            answer.setResponseTxn(txn(
                    request.getRequestTxn(),
                    branched.succeeded(),
                    branched.results(),
                    ResponseHeader.getDefaultInstance()));
        }
        return answer.build();
    }

    /** Within a transaction a header tells the revision only, and that of a nested transaction nothing. */
    private static ResponseHeader inner(long revision) {
        return ResponseHeader.newBuilder().setRevision(revision).build();
    }
}
