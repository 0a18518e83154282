// Labels of one's own (D60).

/**
 * A label keeps its counts, as a folder does. The rows of its messages stand in the order of its
 * pages, with what decides whether the label shows them. A label that was deleted has no key, so
 * that its name is free at once, until a job has taken it from its messages.
 */
export const statements = [
  `CREATE TABLE IF NOT EXISTS labels (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(100) NOT NULL,
    name_key VARCHAR(255) COLLATE utf8mb4_bin,
    colour VARCHAR(16) NOT NULL,
    total INT UNSIGNED NOT NULL DEFAULT 0,
    unread INT UNSIGNED NOT NULL DEFAULT 0,
    removed_at DATETIME(3),
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    UNIQUE KEY labels_name (user_id, name_key),
    KEY labels_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  `CREATE TABLE IF NOT EXISTS entry_labels (
    label_id BIGINT UNSIGNED NOT NULL,
    entry_id BIGINT UNSIGNED NOT NULL,
    is_shown TINYINT(1) NOT NULL,
    arrived_at DATETIME(3) NOT NULL,
    PRIMARY KEY (label_id, entry_id),
    KEY entry_labels_page (label_id, is_shown, arrived_at, entry_id),
    KEY entry_labels_entry (entry_id),
    FOREIGN KEY (label_id) REFERENCES labels (id) ON DELETE CASCADE,
    FOREIGN KEY (entry_id) REFERENCES mailbox_entries (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
