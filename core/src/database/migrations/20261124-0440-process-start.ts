// Each process of the host says when it was started, by the clock of the database.

export const statements = ['ALTER TABLE host_processes ADD COLUMN started_at DATETIME(3) NULL'];
