// A row of the ledger says how its message came, what was checked and where it went, and is found by
// the Message-ID, for as long as the row is kept.

/**
 * Rows from before have neither: of them the message tells it while there is one. The columns are
 * added without touching a row, and the index is built from rows that have nothing in it yet.
 */
export const statements = [
  `ALTER TABLE deliveries
    ADD COLUMN message_id_hash BIGINT UNSIGNED,
    ADD COLUMN facts VARCHAR(1000),
    ALGORITHM=INSTANT`,
  `ALTER TABLE deliveries
    ADD KEY deliveries_message_id (message_id_hash, created_at, company_id), ALGORITHM=INPLACE, LOCK=NONE`,
];
