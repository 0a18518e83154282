// The MIME structure of each message, so that no door parses a message again to describe it.

/**
 * Adds the structures of messages in a table of their own: one can have 64 KB, and the lists of
 * messages, which read whole rows, never need it. A message from before has no row here.
 */
export const statements = [
  `CREATE TABLE message_structures (
    message_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    structure MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    FOREIGN KEY (message_id) REFERENCES messages (id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
