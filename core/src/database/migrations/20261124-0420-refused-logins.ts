// Refused logins of mail programs are counted with those to the web app, and a company's without
// looking at those of others.

/** One event can stand for several that are alike, as a row of the ledger does for answers. */
export const statements = [
  `ALTER TABLE audit_events
    ADD COLUMN times INT UNSIGNED NOT NULL DEFAULT 1,
    DROP KEY audit_action,
    ADD KEY audit_action (action, created_at, address, times),
    ADD KEY audit_company_action (company_id, action, created_at, address, times)`,
];
