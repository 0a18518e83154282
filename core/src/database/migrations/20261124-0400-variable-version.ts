// Of two people who change one variable of the host, the second is told of the first.

export const statements = ['ALTER TABLE environment_variables ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 1'];
