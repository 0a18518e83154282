// Everything of a company in a file, and what such a file was restored into (D66).

/**
 * `cursor_at` says how far the file is written. `making_of` is the company while its archive is
 * being made and null afterwards, so there is one at a time. Names are kept as text, since a row
 * outlives the people in it.
 *
 * A restore has a row for each file, by its SHA-256, so that one that was interrupted goes on.
 */
export const statements = [
  `CREATE TABLE IF NOT EXISTS company_archives (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    making_of BIGINT UNSIGNED NULL,
    asked_by BIGINT UNSIGNED NULL,
    asker_name VARCHAR(255) NOT NULL,
    state VARCHAR(16) COLLATE ascii_bin NOT NULL,
    problem VARCHAR(32) COLLATE ascii_bin NULL,
    file_name VARCHAR(200) NOT NULL,
    total INT UNSIGNED NOT NULL DEFAULT 0,
    done INT UNSIGNED NOT NULL DEFAULT 0,
    lost INT UNSIGNED NOT NULL DEFAULT 0,
    people INT UNSIGNED NOT NULL DEFAULT 0,
    bytes BIGINT UNSIGNED NOT NULL DEFAULT 0,
    sha256 CHAR(64) COLLATE ascii_bin NULL,
    cursor_at JSON NOT NULL,
    claim_id CHAR(36) COLLATE ascii_bin NULL,
    lease_until DATETIME(3) NULL,
    finished_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    UNIQUE KEY company_archives_once (making_of),
    KEY company_archives_company (company_id, id),
    KEY company_archives_state (state, finished_at)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE IF NOT EXISTS company_restores (
    sha256 CHAR(64) COLLATE ascii_bin NOT NULL PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    position BIGINT UNSIGNED NOT NULL,
    person_id BIGINT UNSIGNED NULL,
    finished_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    KEY company_restores_company (company_id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
