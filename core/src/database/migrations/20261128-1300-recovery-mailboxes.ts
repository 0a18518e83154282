// Whose mailbox a confirmed recovery address was when its owner agreed. It names a person even
// after they were removed, so it is no foreign key.

export const statements = [
  'ALTER TABLE users ADD COLUMN confirmed_recovery_user_id BIGINT UNSIGNED NULL AFTER confirmed_recovery_email',
  `UPDATE users u JOIN addresses a ON a.address = u.confirmed_recovery_email AND a.kind = 'mailbox'
      SET u.confirmed_recovery_user_id = a.user_id`,
];
