import { params, words } from '../lib/i18n.ts';

/** Texts of the live connection. */
export const liveWords = words('live', {
  newMail: params('You got new mail from {sender}'),
  open: 'Open',
});
