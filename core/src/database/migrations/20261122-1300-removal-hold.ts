// How a backup keeps the bytes that it still has to copy.

/** Adds the row by which a running backup holds the removal of bytes. */
export const statements = [
  `CREATE TABLE removal_hold (
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    held_until DATETIME(3),
    claim_id VARCHAR(24) CHARACTER SET ascii COLLATE ascii_bin
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  'INSERT INTO removal_hold (id) VALUES (1)',
];
