// A sender may be reminded of a message that no recipient has answered (D62).

/** A row for each message whose sender waits for an answer. It goes when the time has come. */
export const statements = [
  `CREATE TABLE IF NOT EXISTS answer_reminders (
    entry_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    user_id BIGINT UNSIGNED NOT NULL,
    due_at DATETIME(3) NOT NULL,
    KEY answer_reminders_due (due_at, entry_id),
    KEY answer_reminders_user (user_id),
    FOREIGN KEY (entry_id) REFERENCES mailbox_entries (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
