import { params, words } from '../lib/i18n.ts';

/** Where the link in the mail to a recovery address leads. */
export const confirmRecoveryWords = words('confirmRecovery', {
  title: 'Confirm your recovery email',
  hint: 'Confirm that this mailbox may be used to get back into the account that the mail names.',
  submit: 'Confirm address',
  busy: 'Confirming',
  doneTitle: 'Recovery email confirmed',
  done: params('{email} can be used from now on to get back into the account.'),
});
