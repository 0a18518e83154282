// Addresses beyond mailboxes: aliases, groups and a catch-all for each domain (D35).

/**
 * One table owns every address of the host, so that no two of people, aliases and groups have the
 * same. People that are there get the row of their mailbox. The ledger says of each delivery how
 * its address led to the person.
 */
export const statements = [
  `CREATE TABLE address_groups (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(100) NOT NULL,
    address VARCHAR(254) COLLATE utf8mb4_bin NOT NULL,
    active_status TINYINT(1) NOT NULL DEFAULT 1,
    version INT UNSIGNED NOT NULL DEFAULT 1,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    KEY address_groups_name (company_id, name),
    FOREIGN KEY (company_id) REFERENCES companies (id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE group_members (
    group_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    company_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (group_id, user_id),
    KEY group_members_user (user_id),
    KEY group_members_company (company_id),
    FOREIGN KEY (group_id) REFERENCES address_groups (id) ON DELETE CASCADE,
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE addresses (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    domain_id BIGINT UNSIGNED,
    address VARCHAR(254) COLLATE utf8mb4_bin NOT NULL,
    kind ENUM('mailbox', 'alias', 'group') NOT NULL,
    user_id BIGINT UNSIGNED,
    group_id BIGINT UNSIGNED,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    UNIQUE KEY addresses_address (address),
    KEY addresses_company (company_id),
    KEY addresses_domain (domain_id),
    KEY addresses_user (user_id, kind, address),
    KEY addresses_group (group_id),
    FOREIGN KEY (company_id) REFERENCES companies (id),
    FOREIGN KEY (domain_id) REFERENCES domains (id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
    FOREIGN KEY (group_id) REFERENCES address_groups (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  {
    walk: 'users',
    rows: 20_000,
    statements: [
      `INSERT INTO addresses (company_id, domain_id, address, kind, user_id, created_at, updated_at)
       SELECT company_id, domain_id, email, 'mailbox', id, created_at, created_at
         FROM users WHERE id > :after AND id <= :upTo`,
    ],
  },
  `ALTER TABLE domains
    ADD COLUMN catch_all_id BIGINT UNSIGNED,
    ADD CONSTRAINT domains_catch_all FOREIGN KEY (catch_all_id) REFERENCES addresses (id) ON DELETE SET NULL`,
  `ALTER TABLE deliveries
    ADD COLUMN expanded_by ENUM('alias', 'group', 'catch_all'),
    ADD COLUMN expanded_to VARCHAR(254) COLLATE utf8mb4_bin`,
];
