import { params, words } from '../lib/i18n.ts';

/** Where a mailed link to set a password leads. */
export const setPasswordWords = words('setPassword', {
  title: 'Set your password',
  for: params('For {email}'),
  submit: 'Set password',
  busy: 'Saving',
  usedBefore: 'Your new password is most likely set: only the answer was lost. Log in with it, or ask for a new link.',
  overTitle: 'This link cannot be used',
  overHint:
    'If an administrator had it mailed to you, ask them for a new one. Another one can go only to a recovery email that you have confirmed.',
  uncheckedTitle: 'The link could not be checked',
  incomplete: 'The address is incomplete. Open the link exactly as it is in the mail.',
  askAgain: 'Ask for a new link',
  retry: 'Retry',
});
