// A save of a draft that arrives twice, because its answer was lost, is carried out once.

/**
 * The saves that made the draft and that changed it last, by a hash each. A draft that was not
 * saved since the upgrade has none.
 */
export const statements = [
  `ALTER TABLE drafts
    ADD COLUMN first_save VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin,
    ADD COLUMN last_save VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin,
    ADD UNIQUE KEY drafts_first_save (user_id, first_save)`,
];
