// What a proof of the ledger needs: a row for every answer, and the rows of a day by an index.

/** Adds how many answers a row stands for, and indexes by day. */
export const statements = [
  `ALTER TABLE deliveries
    ADD COLUMN answers INT UNSIGNED NOT NULL DEFAULT 1 AFTER reason,
    ADD KEY deliveries_day (created_at, direction, state)`,
  'ALTER TABLE messages ADD KEY messages_day (created_at)',
];
