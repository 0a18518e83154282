// Whose mailbox a confirmed recovery address was when its owner agreed. It names a person even
// after they were removed, so it is no foreign key.

/** An address that was confirmed before counts for the present owner of the mailbox. */
export const statements = [
  'ALTER TABLE users ADD COLUMN confirmed_recovery_user_id BIGINT UNSIGNED NULL AFTER confirmed_recovery_email',
  `UPDATE users SET confirmed_recovery_user_id = COALESCE(
     (SELECT a.user_id FROM addresses a WHERE a.address = confirmed_recovery_email AND a.kind = 'mailbox'),
     (SELECT a.user_id FROM addresses a
       WHERE a.address = REGEXP_REPLACE(confirmed_recovery_email, '[+].*@', '@') AND a.kind = 'mailbox'))
    WHERE confirmed_recovery_email IS NOT NULL`,
];
