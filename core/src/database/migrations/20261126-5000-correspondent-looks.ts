// Domains that resemble those to which a person writes are found when a message is opened.

/**
 * A few keys for each domain that a person has written to; two domains that look alike have one in
 * common. Within one person's, a key leads to few domains, whatever their number. A sweep adds
 * those of before. Its position says up to which correspondent it has come, and which was the last
 * when this table was made.
 */
export const statements = [
  `CREATE TABLE IF NOT EXISTS correspondent_looks (
    user_id BIGINT UNSIGNED NOT NULL,
    look VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,
    site VARCHAR(253) COLLATE utf8mb4_bin NOT NULL,
    PRIMARY KEY (user_id, look, site),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `INSERT IGNORE INTO sweep_steps (name, position, due_at)
   SELECT 'correspondent_looks', CONCAT('0/', COALESCE(MAX(id), 0)), UTC_TIMESTAMP(3) FROM correspondents`,
];
