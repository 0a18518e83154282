// What the web app needs so that nothing is sent, overwritten or lost by a repeated or belated
// request.

/** Adds record versions, the time of a last exchange, and keys of messages that are sent once. */
export const statements = [
  `ALTER TABLE users ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 1 AFTER token_version`,
  `ALTER TABLE signatures ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 1 AFTER signature_body`,
  `ALTER TABLE sessions ADD COLUMN rotated_at DATETIME(3) AFTER previous_refresh_hash`,
  `CREATE TABLE idempotency_keys (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    idempotency_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    fingerprint VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    claimed_until DATETIME(3) NOT NULL,
    entry_id BIGINT UNSIGNED,
    undo_until DATETIME(3),
    undone_at DATETIME(3),
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY idempotency_keys_key (user_id, idempotency_key),
    KEY idempotency_keys_entry (entry_id),
    KEY idempotency_keys_age (created_at),
    KEY idempotency_keys_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
