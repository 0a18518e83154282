// Of two windows in which a person changes one filter or the vacation reply, the second is told of
// the first.

export const statements = [
  'ALTER TABLE mail_filters ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 1',
  'ALTER TABLE vacations ADD COLUMN version INT UNSIGNED NOT NULL DEFAULT 1',
];
