// How many transfers go to a domain is counted from a row for each of them. It was counted from the
// leases of all their deliveries, whose index each claim and each result had to change.

export const statements = [
  `CREATE TABLE outbound_transfers (
    id VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    message_id BIGINT UNSIGNED NULL,
    domain VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,
    lease_until DATETIME(3) NOT NULL
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  'ALTER TABLE deliveries DROP KEY deliveries_leased, ALGORITHM=INPLACE, LOCK=NONE',
];
