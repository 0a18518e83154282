// Settings that a Super Admin of the provider keeps in the database, and the restart that puts them
// into force: what was asked of the host, and which of its processes have done it.

export const statements = [
  `CREATE TABLE IF NOT EXISTS environment_variables (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name VARCHAR(100) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    sealed_value TEXT NOT NULL,
    revision INT UNSIGNED NOT NULL,
    changed_by BIGINT UNSIGNED NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    UNIQUE KEY environment_variables_name (name)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE IF NOT EXISTS host_state (
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    revision INT UNSIGNED NOT NULL DEFAULT 0,
    restart INT UNSIGNED NOT NULL DEFAULT 0,
    asked_at DATETIME(3) NULL,
    asked_by BIGINT UNSIGNED NULL,
    expected TEXT NULL,
    finished_at DATETIME(3) NULL,
    problem VARCHAR(500) NULL
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  'INSERT IGNORE INTO host_state (id) VALUES (1)',
  `CREATE TABLE IF NOT EXISTS host_processes (
    id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    program VARCHAR(20) NOT NULL,
    machine VARCHAR(255) NOT NULL,
    pid INT UNSIGNED NOT NULL,
    revision INT UNSIGNED NOT NULL,
    restart INT UNSIGNED NOT NULL,
    seen_at DATETIME(3) NOT NULL
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
