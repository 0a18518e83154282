// What the console needs of companies, clients, roles and people.

/**
 * Adds record versions, the time of a permanent deletion, and indexes for the lists' usual orders.
 */
export const statements = [
  `ALTER TABLE companies ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 1 AFTER created_by`,
  `ALTER TABLE companies ADD COLUMN erased_at DATETIME(3) AFTER deleted_at`,
  `ALTER TABLE companies ADD KEY companies_state_name (deleted_at, name)`,
  `ALTER TABLE clients ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 1 AFTER active_status`,
  `ALTER TABLE clients ADD COLUMN erased_at DATETIME(3) AFTER deleted_at`,
  `ALTER TABLE clients ADD KEY clients_state_name (deleted_at, fname)`,
  `ALTER TABLE roles ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 1 AFTER active_status`,
  `ALTER TABLE roles ADD KEY roles_state_name (deleted_at, role_name)`,
  `ALTER TABLE users ADD COLUMN erased_at DATETIME(3) AFTER deleted_at`,
  `ALTER TABLE users ADD KEY users_state_created (deleted_at, created_at)`,
  `ALTER TABLE users ADD KEY users_state_search (deleted_at, fname, lname, email)`,
  `ALTER TABLE users ADD KEY users_company_created (company_id, deleted_at, created_at)`,
];
