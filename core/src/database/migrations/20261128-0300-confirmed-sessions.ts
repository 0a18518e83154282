// Before an act on other people's accounts, a session has to prove once more whose it is.

export const statements = ['ALTER TABLE sessions ADD COLUMN confirmed_at DATETIME(3) NULL'];
