// Folders as rows with what a mail program needs to follow them, and drafts as messages.

const roles = ['inbox', 'starred', 'sent', 'archive', 'trash', 'draft'];

/**
 * The counts of a folder become its row, with UIDVALIDITY, UIDNEXT and HIGHESTMODSEQ. Entries get
 * their folder and a UID in the order in which they came. Nothing is removed: the columns that were
 * there keep their values.
 */
export const statements = [
  'RENAME TABLE folder_totals TO folders',
  `ALTER TABLE folders
    CHANGE COLUMN folder role ENUM('inbox', 'sent', 'starred', 'archive', 'trash', 'draft'),
    ADD COLUMN name VARCHAR(255) COLLATE utf8mb4_bin AFTER role,
    ADD COLUMN uid_validity INT UNSIGNED NOT NULL DEFAULT 1 AFTER name,
    ADD COLUMN uid_next INT UNSIGNED NOT NULL DEFAULT 1 AFTER uid_validity,
    ADD COLUMN highest_modseq BIGINT UNSIGNED NOT NULL DEFAULT 1 AFTER uid_next,
    DROP KEY folder_totals_folder,
    ADD UNIQUE KEY folders_role (user_id, role),
    ADD UNIQUE KEY folders_name (user_id, name)`,
  'UPDATE folders SET uid_validity = UNIX_TIMESTAMP()',
  ...roles.map(
    (role) => `INSERT IGNORE INTO folders (company_id, user_id, role, uid_validity)
               SELECT company_id, id, '${role}', UNIX_TIMESTAMP() FROM users`,
  ),
  `CREATE TABLE expunged_entries (
    folder_id BIGINT UNSIGNED NOT NULL,
    modseq BIGINT UNSIGNED NOT NULL,
    uid INT UNSIGNED NOT NULL,
    PRIMARY KEY (folder_id, modseq, uid),
    FOREIGN KEY (folder_id) REFERENCES folders (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `ALTER TABLE mailbox_entries
    MODIFY COLUMN folder ENUM('inbox', 'sent', 'archive', 'trash', 'gone', 'draft') NOT NULL,
    ADD COLUMN folder_id BIGINT UNSIGNED,
    ADD COLUMN uid INT UNSIGNED,
    ADD COLUMN modseq BIGINT UNSIGNED NOT NULL DEFAULT 1,
    ADD COLUMN draft_status TINYINT(1) NOT NULL DEFAULT 0,
    ADD COLUMN answered_status TINYINT(1) NOT NULL DEFAULT 0,
    ADD COLUMN forwarded_status TINYINT(1) NOT NULL DEFAULT 0,
    ADD COLUMN keywords JSON`,
  'ALTER TABLE drafts ADD COLUMN entry_id BIGINT UNSIGNED AFTER user_id',
  {
    walk: 'mailbox_entries',
    rows: 20_000,
    statements: [
      `UPDATE mailbox_entries e
         JOIN (SELECT id, ROW_NUMBER() OVER (PARTITION BY user_id, folder ORDER BY id) AS position
                 FROM mailbox_entries WHERE id > :after AND id <= :upTo AND folder <> 'gone') n ON n.id = e.id
         JOIN folders f ON f.user_id = e.user_id AND f.role = CAST(e.folder AS CHAR) COLLATE utf8mb4_unicode_ci
          SET e.folder_id = f.id, e.uid = f.uid_next - 1 + n.position`,
      `UPDATE folders f
         JOIN (SELECT folder_id, MAX(uid) AS latest FROM mailbox_entries
                WHERE id > :after AND id <= :upTo AND folder_id IS NOT NULL GROUP BY folder_id) n ON n.folder_id = f.id
          SET f.uid_next = n.latest + 1`,
    ],
  },
  `ALTER TABLE mailbox_entries
    ADD UNIQUE KEY entries_uid (folder_id, uid),
    ADD KEY entries_page (folder_id, arrived_at, id, read_status),
    ADD KEY entries_changes (folder_id, modseq),
    DROP KEY entries_folder,
    DROP KEY entries_message,
    ADD KEY entries_message (message_id, folder, received_status)`,
  // The proof of the ledger counts the rows of each message without reading them
  'ALTER TABLE deliveries DROP KEY deliveries_message, ADD KEY deliveries_message (message_id, state)',
];
