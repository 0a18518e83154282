// A company can ask the people of a role for a second factor.

/** When the rule began; null for a role without it. */
export const statements = [
  `ALTER TABLE roles
    ADD COLUMN two_factor_since DATETIME(3) NULL,
    ADD COLUMN two_factor_grace_days SMALLINT UNSIGNED NOT NULL DEFAULT 0`,
];
