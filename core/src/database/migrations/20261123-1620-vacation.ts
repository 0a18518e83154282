// Answers that the host gives for a person who is away (D47).

/**
 * A person has one such answer, and a row for each sender who has got it. The person's own row says
 * whether it is on, so that the delivery to the others asks for nothing.
 */
export const statements = [
  `CREATE TABLE IF NOT EXISTS vacations (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    is_on TINYINT(1) NOT NULL DEFAULT 0,
    subject VARCHAR(200) NOT NULL DEFAULT '',
    body TEXT NOT NULL,
    first_day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin,
    last_day VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin,
    time_zone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    UNIQUE KEY vacations_user (user_id),
    KEY vacations_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE IF NOT EXISTS vacation_replies (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    address VARCHAR(254) COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL,
    replied_at DATETIME(3),
    UNIQUE KEY vacation_replies_address (user_id, address),
    KEY vacation_replies_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  'ALTER TABLE users ADD COLUMN has_vacation TINYINT(1) NOT NULL DEFAULT 0',
];
