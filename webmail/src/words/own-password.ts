import { words } from '../lib/i18n.ts';

/** Asking for the person's password before a change that a stolen session must not make. */
export const ownPasswordWords = words('ownPassword', {
  label: 'Your password',
  required: 'Password is required',
});
