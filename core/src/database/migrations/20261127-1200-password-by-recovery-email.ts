// A password that was set with a link to the recovery mailbox asks for another second factor.

export const statements = ['ALTER TABLE users ADD COLUMN password_by_recovery_email TINYINT(1) NOT NULL DEFAULT 0'];
