// How far the slow sweeps of the workers have come, one row for each.

/** Adds the rows by which worker processes take the steps of slow sweeps in turn. */
export const statements = [
  `CREATE TABLE sweep_steps (
    name VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    position VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    due_at DATETIME(3) NOT NULL,
    lease_until DATETIME(3),
    claim_id VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `INSERT INTO sweep_steps (name, due_at) VALUES
    ('messages', UTC_TIMESTAMP(3)), ('blobs', UTC_TIMESTAMP(3)), ('contents', UTC_TIMESTAMP(3)), ('retention', UTC_TIMESTAMP(3))`,
];
