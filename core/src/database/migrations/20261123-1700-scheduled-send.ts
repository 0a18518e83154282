// A sent message may wait for a time that its sender chose (D48).

/**
 * Until then it lies in a folder of its own. Its deliveries are as old as their release, and the
 * key under which it was sent says again what its sender was told.
 */
export const statements = [
  `ALTER TABLE mailbox_entries
    MODIFY COLUMN folder ENUM('inbox', 'sent', 'archive', 'trash', 'gone', 'draft', 'junk', 'scheduled') NOT NULL`,
  'ALTER TABLE mailbox_entries ADD COLUMN scheduled_status TINYINT(1) NOT NULL DEFAULT 0',
  `ALTER TABLE folders
    MODIFY COLUMN role ENUM('inbox', 'sent', 'starred', 'archive', 'trash', 'draft', 'junk', 'scheduled')`,
  'ALTER TABLE deliveries ADD COLUMN released_at DATETIME(3)',
  `ALTER TABLE idempotency_keys
    ADD COLUMN hold_ms INT UNSIGNED,
    ADD COLUMN is_scheduled TINYINT(1) NOT NULL DEFAULT 0`,
];
