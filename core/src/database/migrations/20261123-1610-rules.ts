// Rules of one's own: blocked senders and filters (D46).

/**
 * A person's row says whether they have any, so that the delivery to a person without rules asks
 * for none. A message keeps the name of the list that it came by, since a filter can ask for it.
 */
export const statements = [
  `CREATE TABLE IF NOT EXISTS blocked_senders (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    address VARCHAR(254) COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY blocked_senders_address (user_id, address),
    KEY blocked_senders_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE IF NOT EXISTS mail_filters (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    place INT UNSIGNED NOT NULL,
    name VARCHAR(100) NOT NULL,
    is_on TINYINT(1) NOT NULL DEFAULT 1,
    conditions JSON NOT NULL,
    actions JSON NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    KEY mail_filters_place (user_id, place),
    KEY mail_filters_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `ALTER TABLE users
    ADD COLUMN has_blocked TINYINT(1) NOT NULL DEFAULT 0,
    ADD COLUMN has_filters TINYINT(1) NOT NULL DEFAULT 0,
    ADD COLUMN forwards_filtered TINYINT(1) NOT NULL DEFAULT 0`,
  'ALTER TABLE messages ADD COLUMN list_id VARCHAR(255)',
];
