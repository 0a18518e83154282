// Each day that is over is proved once, and what was proved is kept (D64).

/**
 * A row a day. `walked_to` and `walk` belong to the proof that is under way: how far it has come,
 * and what it has found so far. What was proved before stays until it ends.
 */
export const statements = [
  `CREATE TABLE IF NOT EXISTS ledger_days (
    day DATE NOT NULL PRIMARY KEY,
    accounts TEXT,
    problems TEXT,
    difference BIGINT UNSIGNED NOT NULL DEFAULT 0,
    proofs INT UNSIGNED NOT NULL DEFAULT 0,
    proved_at DATETIME(3),
    walked_to DATETIME(3),
    walk TEXT
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  "INSERT IGNORE INTO sweep_steps (name, position, due_at) VALUES ('ledger', '', UTC_TIMESTAMP(3))",
];
