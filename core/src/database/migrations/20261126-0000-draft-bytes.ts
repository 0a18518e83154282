// Drafts get bytes when their writers pause, so that they can be searched and read as messages.

const draftFolders = `
  UPDATE folders f JOIN (SELECT DISTINCT user_id FROM drafts WHERE entry_id IS NOT NULL) t ON t.user_id = f.user_id
     SET f.bytes = (SELECT COALESCE(SUM(d.body_bytes), 0) FROM drafts d WHERE d.user_id = f.user_id)
                 + (SELECT COALESCE(SUM(a.size), 0) FROM drafts d JOIN draft_attachments a ON a.draft_id = d.id
                     WHERE d.user_id = f.user_id)
   WHERE f.role = 'draft'`;

/**
 * Of a draft that a message became which was taken back, its text counts as storage from now on, as
 * that of any other draft, and not the bytes of the message. Those that were saved since are
 * written anew.
 */
export const statements = [
  'ALTER TABLE drafts ADD COLUMN bytes_due_at DATETIME(3), ADD KEY drafts_bytes_due (bytes_due_at)',
  'UPDATE drafts SET body_bytes = LENGTH(body) WHERE entry_id IS NOT NULL',
  draftFolders,
  'UPDATE drafts SET bytes_due_at = UTC_TIMESTAMP(3) WHERE entry_id IS NULL OR version > 1',
];
