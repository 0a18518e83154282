// Folders that a person makes (D63).

/**
 * A folder without a role is one that its owner made. Once it is deleted it has no name, so that
 * the name is free at once, until a job has moved its mail. An entry keeps the folder that it goes
 * back to; no index finds entries by it, since that would cost each message that comes in.
 */
export const statements = [
  `ALTER TABLE folders
    ADD COLUMN name_key VARCHAR(255) COLLATE utf8mb4_bin AFTER name,
    ADD COLUMN removed_at DATETIME(3) AFTER name_key,
    ADD UNIQUE KEY folders_name_key (user_id, name_key)`,
  `ALTER TABLE mailbox_entries
    MODIFY COLUMN folder
      ENUM('inbox', 'sent', 'archive', 'trash', 'gone', 'draft', 'junk', 'scheduled', 'snoozed', 'own') NOT NULL,
    ADD COLUMN own_folder_id BIGINT UNSIGNED`,
];
