// What a folder knows of its conversations, so that a page of them is read as fast as one of messages.

/**
 * Each conversation of a folder has a row with its counts and its newest entry, in the order of the
 * pages, and the folder counts these rows. The counts have a sign: a change adds a number below zero
 * where an entry leaves. The new index finds the newest entries of a conversation in a folder without
 * reading the others, however many there are; it takes the place of the one by person.
 */
export const statements = [
  `CREATE TABLE folder_threads (
    folder_id BIGINT UNSIGNED NOT NULL,
    thread_key VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    newest_id BIGINT UNSIGNED NOT NULL,
    newest_at DATETIME(3) NOT NULL,
    total INT NOT NULL,
    unread INT NOT NULL,
    starred INT NOT NULL,
    PRIMARY KEY (folder_id, thread_key),
    KEY folder_threads_page (folder_id, newest_at, newest_id),
    FOREIGN KEY (folder_id) REFERENCES folders (id) ON DELETE CASCADE
  ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
  'ALTER TABLE folders ADD COLUMN threads INT UNSIGNED NOT NULL DEFAULT 0 AFTER unread',
  `ALTER TABLE mailbox_entries
    ADD KEY entries_conversation (folder_id, thread_key, arrived_at, id),
    DROP KEY entries_thread`,
  {
    walk: 'mailbox_entries',
    rows: 20_000,
    statements: [
      `INSERT INTO folder_threads (folder_id, thread_key, newest_id, newest_at, total, unread, starred)
       SELECT folder_id, thread_key, id, arrived_at, entries, unread, starred
         FROM (SELECT folder_id, thread_key, id, arrived_at,
                      COUNT(*) OVER (PARTITION BY folder_id, thread_key) AS entries,
                      SUM(read_status = 0) OVER (PARTITION BY folder_id, thread_key) AS unread,
                      SUM(star_status = 1) OVER (PARTITION BY folder_id, thread_key) AS starred,
                      ROW_NUMBER() OVER (PARTITION BY folder_id, thread_key ORDER BY arrived_at DESC, id DESC) AS place
                 FROM mailbox_entries WHERE id > :after AND id <= :upTo AND folder_id IS NOT NULL) n
        WHERE place = 1
       ON DUPLICATE KEY UPDATE
         newest_id = IF((VALUES(newest_at), VALUES(newest_id)) > (folder_threads.newest_at, folder_threads.newest_id),
                        VALUES(newest_id), folder_threads.newest_id),
         newest_at = GREATEST(folder_threads.newest_at, VALUES(newest_at)),
         total = folder_threads.total + VALUES(total),
         unread = folder_threads.unread + VALUES(unread),
         starred = folder_threads.starred + VALUES(starred)`,
    ],
  },
  {
    walk: 'folders',
    rows: 1000,
    statements: [
      `UPDATE folders f SET threads = (SELECT COUNT(*) FROM folder_threads t WHERE t.folder_id = f.id)
        WHERE f.id > :after AND f.id <= :upTo`,
    ],
  },
];
