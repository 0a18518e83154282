// A person who is away may be answered for to people they know alone (D68).

export const statements = ['ALTER TABLE vacations ADD COLUMN only_known TINYINT(1) NOT NULL DEFAULT 0'];
