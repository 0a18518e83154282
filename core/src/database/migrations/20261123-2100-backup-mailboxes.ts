// A copy of a person's mail, which another person reads (D24, D54).

/**
 * A copy has rows of its own that refer to the stored messages, and these keep the messages. What
 * it names of people it also keeps as text, since it outlives them. `cursors` says how far each
 * folder of the owner is copied, as `{"<folder>": <uid>}`.
 */
export const statements = [
  `CREATE TABLE IF NOT EXISTS mail_copies (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    owner_id BIGINT UNSIGNED NULL,
    owner_email VARCHAR(254) NOT NULL,
    owner_name VARCHAR(255) NOT NULL,
    viewer_id BIGINT UNSIGNED NULL,
    viewer_email VARCHAR(254) NOT NULL,
    viewer_name VARCHAR(255) NOT NULL,
    giver_name VARCHAR(255) NOT NULL,
    state VARCHAR(16) COLLATE ascii_bin NOT NULL,
    total INT UNSIGNED NOT NULL DEFAULT 0,
    copied INT UNSIGNED NOT NULL DEFAULT 0,
    received_count INT UNSIGNED NOT NULL DEFAULT 0,
    sent_count INT UNSIGNED NOT NULL DEFAULT 0,
    bytes BIGINT UNSIGNED NOT NULL DEFAULT 0,
    cursors JSON NOT NULL,
    finished_at DATETIME(3) NULL,
    opened_at DATETIME(3) NULL,
    deleted_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    KEY mail_copies_viewer (viewer_id, deleted_at),
    KEY mail_copies_owner (owner_id),
    KEY mail_copies_company (company_id, bytes),
    KEY mail_copies_state (state, updated_at),
    FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE SET NULL,
    FOREIGN KEY (viewer_id) REFERENCES users (id) ON DELETE SET NULL
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE IF NOT EXISTS copied_entries (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    copy_id BIGINT UNSIGNED NOT NULL,
    entry_id BIGINT UNSIGNED NOT NULL,
    message_id BIGINT UNSIGNED NOT NULL,
    is_sent TINYINT(1) NOT NULL,
    read_status TINYINT(1) NOT NULL,
    junk_status TINYINT(1) NOT NULL,
    bcc_list JSON NULL,
    arrived_at DATETIME(3) NOT NULL,
    UNIQUE KEY copied_entries_once (copy_id, entry_id),
    KEY copied_entries_page (copy_id, is_sent, arrived_at, id),
    KEY copied_entries_message (message_id),
    FOREIGN KEY (copy_id) REFERENCES mail_copies (id),
    FOREIGN KEY (message_id) REFERENCES messages (id)
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
