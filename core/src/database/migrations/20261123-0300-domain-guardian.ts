// Each domain's DNS is looked at twice a day. What it said last, and what has changed, is kept.

/**
 * `due_at` is empty for domains that are deleted or not proved, so that none of them stands before
 * the ones that are due. A key's days are counted from when it began to sign.
 */
export const statements = [
  `ALTER TABLE domains
    ADD COLUMN health TINYINT UNSIGNED NOT NULL DEFAULT 0,
    ADD COLUMN checked_at DATETIME(3),
    ADD COLUMN next_check_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)`,
  `ALTER TABLE domains
    ADD COLUMN due_at DATETIME(3)
      GENERATED ALWAYS AS (IF(verified_at IS NULL OR deleted_at IS NOT NULL, NULL, next_check_at)) VIRTUAL,
    ADD KEY domains_due (due_at),
    ADD KEY domains_health (health),
    ADD KEY domains_checked (checked_at)`,
  `CREATE TABLE domain_health (
    domain_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    facts JSON NOT NULL,
    watches JSON NOT NULL,
    problems JSON NOT NULL,
    failures SMALLINT UNSIGNED NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    FOREIGN KEY (domain_id) REFERENCES domains (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE domain_changes (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    domain_id BIGINT UNSIGNED NOT NULL,
    part ENUM('mx', 'spf', 'dkim', 'dmarc', 'ns', 'expiry') NOT NULL,
    kind ENUM('changed', 'broken', 'mended', 'expiring') NOT NULL,
    before_text TEXT,
    after_text TEXT,
    created_at DATETIME(3) NOT NULL,
    KEY domain_changes_domain (domain_id, id),
    FOREIGN KEY (domain_id) REFERENCES domains (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `ALTER TABLE dkim_keys
    ADD COLUMN signs_since DATETIME(3),
    ADD COLUMN retired_at DATETIME(3),
    ADD KEY dkim_keys_signs (signs_since)`,
  'UPDATE dkim_keys SET signs_since = updated_at WHERE is_active = 1',
];
