// A message that two processes are offered at the same moment is stored once.

/**
 * The key of a message begins with the day on which it was stored, and is unique. Messages from
 * before the last two days have none: a repeat of them is not recognised any more. Of equal ones
 * the last keeps its key.
 */
export const statements = [
  'ALTER TABLE messages DROP KEY IF EXISTS messages_dedupe',
  `UPDATE messages SET dedupe_key = NULL
    WHERE dedupe_key IS NOT NULL AND created_at < UTC_TIMESTAMP(3) - INTERVAL 2 DAY`,
  `UPDATE messages SET dedupe_key = CONCAT(DATE_FORMAT(created_at, '%Y%m%d'), LEFT(dedupe_key, 56))
    WHERE dedupe_key IS NOT NULL AND dedupe_key NOT LIKE CONCAT(DATE_FORMAT(created_at, '%Y%m%d'), '%')`,
  `UPDATE messages JOIN (SELECT dedupe_key AS kept_key, MAX(id) AS kept_id FROM messages
                          WHERE dedupe_key IS NOT NULL GROUP BY dedupe_key HAVING COUNT(*) > 1) AS kept
      ON dedupe_key = kept_key AND id < kept_id
    SET dedupe_key = NULL`,
  'ALTER TABLE messages ADD UNIQUE KEY IF NOT EXISTS messages_dedupe (dedupe_key)',
];
