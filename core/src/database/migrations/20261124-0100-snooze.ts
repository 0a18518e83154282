// A message may leave the inbox and come back at a time that its reader chose (D61).

/**
 * Until then it lies in a folder of its own. When it comes back it stands at the top of the inbox,
 * and its first arrival is kept beside its place. The queue of those that sleep is a table of its
 * own: an index on the entries would cost each message that comes in.
 */
export const statements = [
  `ALTER TABLE mailbox_entries
    MODIFY COLUMN folder
      ENUM('inbox', 'sent', 'archive', 'trash', 'gone', 'draft', 'junk', 'scheduled', 'snoozed') NOT NULL`,
  `ALTER TABLE mailbox_entries
    ADD COLUMN snoozed_status TINYINT(1) NOT NULL DEFAULT 0,
    ADD COLUMN first_arrived_at DATETIME(3)`,
  `ALTER TABLE folders
    MODIFY COLUMN role
      ENUM('inbox', 'sent', 'starred', 'archive', 'trash', 'draft', 'junk', 'scheduled', 'snoozed')`,
  `CREATE TABLE IF NOT EXISTS snoozes (
    entry_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    user_id BIGINT UNSIGNED NOT NULL,
    until_at DATETIME(3) NOT NULL,
    KEY snoozes_due (until_at, entry_id),
    KEY snoozes_user (user_id),
    FOREIGN KEY (entry_id) REFERENCES mailbox_entries (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
