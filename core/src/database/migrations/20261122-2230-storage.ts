// What people and companies have stored, and what they may have.

/**
 * Each folder keeps the bytes of its messages, so that a person's use is the sum of a few rows. The
 * index makes a company's use the sum of index entries: there is no row that all deliveries of a
 * company would wait for. Limits are null where there is none.
 */
export const statements = [
  `ALTER TABLE folders
    ADD COLUMN bytes BIGINT UNSIGNED NOT NULL DEFAULT 0 AFTER unread,
    ADD KEY folders_company_bytes (company_id, bytes)`,
  // The first column of the new key does what this one did
  'ALTER TABLE folders DROP KEY folder_totals_company',
  'ALTER TABLE users ADD COLUMN storage_limit BIGINT UNSIGNED AFTER version',
  `ALTER TABLE companies
    ADD COLUMN max_users INT UNSIGNED AFTER version,
    ADD COLUMN max_domains INT UNSIGNED AFTER max_users,
    ADD COLUMN storage_limit BIGINT UNSIGNED AFTER max_domains,
    ADD COLUMN mailbox_limit BIGINT UNSIGNED AFTER storage_limit`,
  {
    walk: 'mailbox_entries',
    rows: 20_000,
    statements: [
      `UPDATE folders f
         JOIN (SELECT e.folder_id, SUM(m.size) AS bytes FROM mailbox_entries e JOIN messages m ON m.id = e.message_id
                WHERE e.id > :after AND e.id <= :upTo AND e.folder_id IS NOT NULL GROUP BY e.folder_id) n
           ON n.folder_id = f.id
          SET f.bytes = f.bytes + n.bytes`,
    ],
  },
  {
    walk: 'draft_attachments',
    rows: 20_000,
    statements: [
      `UPDATE folders f
         JOIN (SELECT d.user_id, SUM(a.size) AS bytes FROM draft_attachments a JOIN drafts d ON d.id = a.draft_id
                WHERE a.id > :after AND a.id <= :upTo GROUP BY d.user_id) n
           ON n.user_id = f.user_id AND f.role = 'draft'
          SET f.bytes = f.bytes + n.bytes`,
    ],
  },
  // The sweep that compares the kept bytes with a count
  "INSERT IGNORE INTO sweep_steps (name, position, due_at) VALUES ('storage', '', UTC_TIMESTAMP(3))",
];
