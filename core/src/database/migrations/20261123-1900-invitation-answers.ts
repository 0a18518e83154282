// People answer invitations to events out of their mail (D52).

/**
 * The last answer of a person to an event. `event_key` is a hash: a UID and a date may be longer
 * than an index can hold.
 */
export const statements = [
  `CREATE TABLE IF NOT EXISTS invitation_answers (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    company_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    event_key CHAR(64) COLLATE ascii_bin NOT NULL,
    sequence INT UNSIGNED NOT NULL,
    answer VARCHAR(16) COLLATE ascii_bin NOT NULL,
    answered_at DATETIME(3) NOT NULL,
    UNIQUE KEY invitation_answers_event (user_id, event_key),
    KEY invitation_answers_company (company_id),
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
];
