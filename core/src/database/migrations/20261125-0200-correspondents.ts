// Whom each person has written to, so that addresses are completed while they are typed.

/**
 * A row for each address that a person has written to. Its place in their order is a moment: that
 * of the last message, and 30 days later for each doubling of their number. So the order by use that
 * fades is that of an index, and no row has to change while time passes. The words by whose
 * beginnings a person is found stand in the row, and one by one in a table of their own, for those
 * who have written to thousands.
 *
 * A sweep adds what was sent before. Its position says up to which entry it has come, and which was
 * the last when this table was made.
 */
export const statements = [
  `CREATE TABLE IF NOT EXISTS correspondents (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    address_key VARCHAR(254) COLLATE utf8mb4_bin NOT NULL,
    address VARCHAR(254) COLLATE utf8mb4_bin NOT NULL,
    name VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,
    words VARCHAR(920) COLLATE utf8mb4_bin NOT NULL,
    times INT UNSIGNED NOT NULL,
    last_at DATETIME(3) NOT NULL,
    ranked_at DATETIME(3) NOT NULL,
    UNIQUE KEY correspondents_address (user_id, address_key),
    KEY correspondents_rank (user_id, ranked_at, id),
    KEY correspondents_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE IF NOT EXISTS correspondent_words (
    user_id BIGINT UNSIGNED NOT NULL,
    word VARCHAR(64) COLLATE utf8mb4_bin NOT NULL,
    correspondent_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (user_id, word, correspondent_id),
    KEY correspondent_words_row (correspondent_id),
    FOREIGN KEY (correspondent_id) REFERENCES correspondents (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  'ALTER TABLE users ADD KEY users_directory_fname (company_id, deleted_at, fname, lname)',
  'ALTER TABLE users ADD KEY users_directory_lname (company_id, deleted_at, lname)',
  'ALTER TABLE addresses ADD KEY addresses_directory (company_id, address)',
  `INSERT IGNORE INTO sweep_steps (name, position, due_at)
   SELECT 'correspondents', CONCAT('0/', COALESCE(MAX(id), 0)), UTC_TIMESTAMP(3) FROM mailbox_entries`,
];
