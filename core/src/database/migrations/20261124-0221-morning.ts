// What the home page shows in the morning is read from indexes: sign-ins that were refused, and the
// companies that have the least room left.

/** `fill` is thousandths of the company's limit; 0 without one. A sweep counts each hour. */
export const statements = [
  'ALTER TABLE audit_events ADD KEY audit_action (action, created_at, company_id, address)',
  `CREATE TABLE IF NOT EXISTS company_use (
    company_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    bytes BIGINT UNSIGNED NOT NULL,
    fill INT UNSIGNED NOT NULL,
    counted_at DATETIME(3) NOT NULL,
    KEY company_use_fill (fill, bytes),
    FOREIGN KEY (company_id) REFERENCES companies (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  "INSERT IGNORE INTO sweep_steps (name, position, due_at) VALUES ('companies', '', UTC_TIMESTAMP(3))",
];
