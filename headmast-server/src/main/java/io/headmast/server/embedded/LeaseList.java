// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.server.embedded;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.headmast.core.store.memory.EmbeddedEngine;
import io.headmast.core.store.memory.EmbeddedEngine.AtRevision;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** {@code LeaseLeases}, which the stubs in use here don't know: it is written by hand. */
final class LeaseList {
    private static final int HEADER_FIELD = 1;
    private static final int LEASES_FIELD = 2;
    private static final int ID_FIELD = 1;

    private static final MethodDescriptor<byte[], byte[]> METHOD = MethodDescriptor.newBuilder(new Bytes(), new Bytes())
            .setType(MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(LeaseGrpc.SERVICE_NAME, "LeaseLeases"))
            .build();

    private final EmbeddedEngine engine;
    private final Identity identity;

    LeaseList(EmbeddedEngine engine, Identity identity) {
        this.engine = engine;
        this.identity = identity;
    }

    /** The Lease service with this method besides. */
    ServerServiceDefinition addTo(ServerServiceDefinition service) {
        ServerServiceDefinition.Builder all = ServerServiceDefinition.builder(LeaseGrpc.SERVICE_NAME);
        service.getMethods().forEach(all::addMethod);
        return all.addMethod(METHOD, ServerCalls.asyncUnaryCall(this::list)).build();
    }

    private void list(byte[] request, StreamObserver<byte[]> to) {
        var unused = engine.leases().whenComplete((leases, failure) -> {
            if (failure == null) {
                to.onNext(encoded(leases));
                to.onCompleted();
            } else {
                to.onError(EtcdStatus.of(failure));
            }
        });
    }

    private byte[] encoded(AtRevision<List<Long>> leases) {
        var bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        ResponseHeader header = identity.header(leases.revision());
        try {
            out.writeMessage(HEADER_FIELD, header);
            for (long id : leases.value()) {
                out.writeTag(LEASES_FIELD, WireFormat.WIRETYPE_LENGTH_DELIMITED);
                out.writeUInt32NoTag(CodedOutputStream.computeInt64Size(ID_FIELD, id));
                out.writeInt64(ID_FIELD, id);
            }
            out.flush();
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    /** Messages as their bytes. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
