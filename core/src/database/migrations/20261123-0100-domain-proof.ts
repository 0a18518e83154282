// A domain belongs to a company once its DNS proves it, or the provider vouches for it (D34).

/**
 * A domain without proof takes no name away from others: any number of companies may have added it,
 * and the first that proves it owns it. What is there was added by the provider, who vouches for it.
 */
export const statements = [
  `ALTER TABLE domains
    ADD COLUMN verified_at DATETIME(3),
    ADD COLUMN vouched_by BIGINT UNSIGNED,
    ADD COLUMN proof_asked_at DATETIME(3),
    ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 1`,
  'UPDATE domains SET verified_at = created_at',
  `ALTER TABLE domains
    ADD COLUMN owned_name VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin
      GENERATED ALWAYS AS (IF(verified_at IS NULL, NULL, domain_name)) VIRTUAL,
    ADD UNIQUE KEY domains_owned (owned_name),
    ADD UNIQUE KEY domains_company_name (company_id, domain_name),
    ADD KEY domains_by_name (domain_name),
    ADD KEY domains_unproved (verified_at, proof_asked_at),
    DROP KEY domains_name`,
  // Keys that wait for their record in the DNS are looked for every few seconds
  'ALTER TABLE dkim_keys ADD KEY dkim_keys_waiting (is_active, updated_at)',
  `CREATE TABLE domain_records (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    domain_id BIGINT UNSIGNED NOT NULL,
    record_name VARCHAR(100) NOT NULL,
    type ENUM('A', 'AAAA', 'MX', 'CNAME', 'TXT') NOT NULL,
    name VARCHAR(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    priority SMALLINT UNSIGNED NOT NULL DEFAULT 0,
    content TEXT NOT NULL,
    ttl INT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    KEY domain_records_domain (domain_id, type, name),
    KEY domain_records_company (company_id),
    FOREIGN KEY (domain_id) REFERENCES domains (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
