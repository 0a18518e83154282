// What the workers need to take up outgoing mail fairly, in groups, and with one limit over all
// processes.

/**
 * Adds the id of a claim, an index by domain and due time, one by lease, and the row that worker
 * processes lock in turn while they claim.
 */
export const statements = [
  `ALTER TABLE deliveries
    ADD COLUMN claim_id VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin AFTER lease_until,
    ADD KEY deliveries_domain (direction, state, recipient_domain, next_attempt_at),
    ADD KEY deliveries_leased (lease_until)`,
  `CREATE TABLE outbound_turns (
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    taken_at DATETIME(3) NOT NULL
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `INSERT INTO outbound_turns (id, taken_at) VALUES (1, UTC_TIMESTAMP(3))`,
];
