// What is deleted and not yet removed is found by itself, without a job.

/** Most rows have no such moment, so these indexes hold only what waits. */
export const statements = [
  'ALTER TABLE folders ADD KEY folders_removed (removed_at)',
  'ALTER TABLE labels ADD KEY labels_removed (removed_at)',
  'ALTER TABLE users ADD KEY users_erased (erased_at)',
  "INSERT IGNORE INTO sweep_steps (name, position, due_at) VALUES ('removals', '', UTC_TIMESTAMP(3))",
];
