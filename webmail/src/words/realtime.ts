import { params, words } from '../lib/i18n.ts';

/** What is announced as it happens. */
export const realtimeWords = words('realtime', {
  newMail: params('You got new mail from {sender}'),
  open: 'Open',
});
