// The dashboard shows how many people and clients were added, from figures that are kept.

const counted = (table: 'users' | 'clients', company: string): string => `
  INSERT INTO growth_slots (company_id, slot_at, ${table})
  SELECT ${company}, FROM_UNIXTIME(FLOOR(UNIX_TIMESTAMP(created_at) / 900) * 900), COUNT(*)
    FROM ${table} WHERE deleted_at IS NULL GROUP BY 1, 2
  ON DUPLICATE KEY UPDATE ${table} = VALUES(${table})`;

export const statements = [
  `CREATE TABLE IF NOT EXISTS growth_slots (
    company_id BIGINT UNSIGNED NOT NULL,
    slot_at DATETIME(3) NOT NULL,
    users INT NOT NULL DEFAULT 0,
    clients INT NOT NULL DEFAULT 0,
    PRIMARY KEY (company_id, slot_at)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  counted('users', '0'),
  counted('users', 'company_id'),
  counted('clients', '0'),
  counted('clients', 'company_id'),
];
