// People save drafts, so a draft says what a list shows of it and what its message answers.

/**
 * A draft that a taken-back message has become has its bytes, which say what it answers; a saved
 * one has none, and says it itself. Its text counts as storage, as its files do.
 */
export const statements = [
  `ALTER TABLE drafts
    ADD COLUMN from_address VARCHAR(320),
    ADD COLUMN preview VARCHAR(255) NOT NULL DEFAULT '',
    ADD COLUMN body_bytes INT UNSIGNED NOT NULL DEFAULT 0,
    ADD COLUMN in_reply_to VARCHAR(998),
    ADD COLUMN reference_ids JSON,
    ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 1`,
  `UPDATE drafts d JOIN mailbox_entries e ON e.id = d.entry_id JOIN messages m ON m.id = e.message_id
      SET d.preview = m.preview, d.from_address = m.from_address`,
];
