// Copyright headmast contributors
// SPDX-License-Identifier: Apache-2.0
package io.headmast.examples.docs;

import io.headmast.worker.JobContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A table that fences. */
final class MeterTable {
    private MeterTable() {}

    /** Whether the write was applied; if not, another run owns the job, and this one should end. */
    static boolean write(Connection db, JobContext context, long reading) throws SQLException {
        String sql = "INSERT INTO meter AS m (job, epoch, reading) VALUES (?, ?, ?)"
                + " ON CONFLICT (job) DO UPDATE SET epoch = excluded.epoch, reading = excluded.reading"
                + " WHERE m.epoch <= excluded.epoch";
        try (PreparedStatement statement = db.prepareStatement(sql)) {
            statement.setString(1, context.job().id());
            statement.setLong(2, context.epoch());
            statement.setLong(3, reading);
            return statement.executeUpdate() == 1;
        }
    }
}
