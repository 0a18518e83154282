// What stands between an address and a signed-in person, and what a person sets for themselves. Codes and passwords that are shown
// once are kept as keyed hashes.

/** Adds second factors, app passwords, one-time links and signatures. */
export const statements = [
  `CREATE TABLE signatures (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    signature_name VARCHAR(100) NOT NULL,
    name_key VARCHAR(255) COLLATE utf8mb4_bin NOT NULL,
    signature_body MEDIUMTEXT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    UNIQUE KEY signatures_name (user_id, name_key),
    KEY signatures_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `ALTER TABLE users
    ADD COLUMN confirmed_recovery_email VARCHAR(254) COLLATE utf8mb4_bin AFTER recovery_email,
    ADD COLUMN two_factor_last_step INT UNSIGNED NOT NULL DEFAULT 0 AFTER two_factor_secret,
    ADD COLUMN signature_new_id BIGINT UNSIGNED AFTER token_version,
    ADD COLUMN signature_reply_id BIGINT UNSIGNED AFTER signature_new_id,
    ADD KEY users_avatar (avatar),
    ADD CONSTRAINT users_signature_new FOREIGN KEY (signature_new_id) REFERENCES signatures (id) ON DELETE SET NULL,
    ADD CONSTRAINT users_signature_reply FOREIGN KEY (signature_reply_id) REFERENCES signatures (id) ON DELETE SET NULL`,
  `ALTER TABLE audit_events ADD KEY audit_entity (entity, entity_id, created_at)`,
  `CREATE TABLE recovery_codes (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    code_hash VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    used_at DATETIME(3),
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY recovery_codes_hash (user_id, code_hash),
    KEY recovery_codes_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE passkeys (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    passkey_name VARCHAR(100) NOT NULL,
    credential_id VARCHAR(1400) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    public_key TEXT CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    counter INT UNSIGNED NOT NULL DEFAULT 0,
    transports JSON NOT NULL,
    last_used_at DATETIME(3),
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    UNIQUE KEY passkeys_credential (credential_id),
    KEY passkeys_user (user_id),
    KEY passkeys_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE app_passwords (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    app_name VARCHAR(100) NOT NULL,
    password_hash VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    last_used_at DATETIME(3),
    last_used_address VARCHAR(45) CHARACTER SET ascii COLLATE ascii_bin,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    UNIQUE KEY app_passwords_hash (user_id, password_hash),
    KEY app_passwords_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE one_time_links (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    purpose ENUM('set_password', 'confirm_recovery') NOT NULL,
    token_hash VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    address VARCHAR(254) COLLATE utf8mb4_bin NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    used_at DATETIME(3),
    created_at DATETIME(3) NOT NULL,
    UNIQUE KEY one_time_links_token (token_hash),
    KEY one_time_links_user (user_id, purpose),
    KEY one_time_links_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
