// The sweep that keeps the search indexes of all mailboxes.

export const statements = [
  "INSERT IGNORE INTO sweep_steps (name, position, due_at) VALUES ('search', '', UTC_TIMESTAMP(3))",
];
