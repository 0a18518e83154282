// Junk: a folder beside the others, and what the host did with a message when it came (D46).

/**
 * An entry remembers why it was put where it is, as JSON; most entries have come to the inbox and
 * have none. The new folder has a row once something is in it. The sweep that empties it has its
 * place among the others.
 */
export const statements = [
  `ALTER TABLE folders
    MODIFY COLUMN role ENUM('inbox', 'sent', 'starred', 'archive', 'trash', 'draft', 'junk')`,
  `ALTER TABLE mailbox_entries
    MODIFY COLUMN folder ENUM('inbox', 'sent', 'archive', 'trash', 'gone', 'draft', 'junk') NOT NULL,
    ADD COLUMN junk_status TINYINT(1) NOT NULL DEFAULT 0,
    ADD COLUMN placement JSON`,
  "INSERT IGNORE INTO sweep_steps (name, position, due_at) VALUES ('junk', '', UTC_TIMESTAMP(3))",
];
