// What the console needs of modules.

/** Names of modules that differ only in capitals are the same. */
export const statements = ['ALTER TABLE modules MODIFY name VARCHAR(64) COLLATE utf8mb4_general_ci NOT NULL'];
