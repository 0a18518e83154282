import { words } from '../lib/i18n.ts';

/** A new password, twice. */
export const newPasswordWords = words('newPassword', {
  password: 'New password',
  hint: 'At least 8 characters; not a common one, and not your address.',
  confirm: 'Confirm password',
});
