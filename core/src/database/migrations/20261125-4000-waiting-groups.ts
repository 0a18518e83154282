// Counts the mail that waits by domain and reason from the entries of an index alone.

/**
 * What the queue shows of a row is computed by the database, and is NULL for mail that does not
 * wait. So the entries of all other mail are short and are added at one end of the index, and the
 * company comes first: what waits for one company is read past the mail of all others. Domains and
 * reasons are ASCII; a letter that is not becomes a question mark rather than a refused row.
 *
 * One statement, so that a large table is copied once.
 */
export const statements = [
  `ALTER TABLE deliveries
    ADD COLUMN waiting_company BIGINT UNSIGNED GENERATED ALWAYS AS
      (IF(direction = 'out' AND (state = 'queued' OR (state = 'held' AND reason = 'held_by_administrator')),
          COALESCE(company_id, 0), NULL)) STORED,
    ADD COLUMN waiting_group VARBINARY(296) GENERATED ALWAYS AS
      (IF(waiting_company IS NULL, NULL, CONVERT(CONCAT(recipient_domain, ' ', COALESCE(reason, '')) USING ascii))) STORED,
    ADD COLUMN waiting_since DATETIME(3) GENERATED ALWAYS AS
      (IF(waiting_company IS NULL, NULL, COALESCE(released_at, created_at))) STORED,
    ADD KEY deliveries_waiting (waiting_company, waiting_group, next_attempt_at, waiting_since)`,
];
