// The proof of the ledger finds a lost row of one of several recipients, and knows which were
// deleted because they are old.

/**
 * How many rows of the ledger a message was accepted with. A message from before has NULL, and its
 * rows are not counted. The index of the days has the number too, so that the proof compares it
 * without reading messages. The column is added without a copy of the table.
 *
 * `ledger_kept` says since when no row was deleted because of its age.
 */
export const statements = [
  'ALTER TABLE messages ADD COLUMN ledger_rows INT UNSIGNED',
  'ALTER TABLE messages DROP KEY messages_day, ADD KEY messages_day (created_at, ledger_rows)',
  `CREATE TABLE IF NOT EXISTS ledger_kept (
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    since DATETIME(3)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  'INSERT IGNORE INTO ledger_kept (id) VALUES (1)',
];
