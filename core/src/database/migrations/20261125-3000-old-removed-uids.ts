// UIDs that left a folder long ago are forgotten.

/** A reader that knows nothing of a folder behind `forgotten_modseq` has to compare all of it. */
export const statements = [
  `ALTER TABLE expunged_entries
    ADD COLUMN created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    ADD KEY expunged_age (created_at)`,
  'ALTER TABLE folders ADD COLUMN forgotten_modseq BIGINT UNSIGNED NOT NULL DEFAULT 0',
  "INSERT IGNORE INTO sweep_steps (name, position, due_at) VALUES ('removed_uids', '', UTC_TIMESTAMP(3))",
];
