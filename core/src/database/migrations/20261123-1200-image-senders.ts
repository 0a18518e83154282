// People choose senders whose remote pictures they always see, and hear when a sender is new (D42).

/** An address counts only in a message for which DMARC passed. */
export const statements = [
  `CREATE TABLE IF NOT EXISTS image_senders (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    address VARCHAR(320) COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY image_senders_address (user_id, address),
    KEY image_senders_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  // By it the host finds earlier mail of a sender
  'ALTER TABLE messages ADD KEY messages_from (from_address, id)',
];
