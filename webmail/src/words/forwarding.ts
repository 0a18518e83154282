import { params, words } from '../lib/i18n.ts';

/** Forwarding of a person's own mail. */
export const forwardingWords = words('forwarding', {
  title: 'Forwarding',
  hint: 'Copies of new mail go to another address. The mail itself stays in this mailbox.',
  none: 'Your mail is not forwarded.',
  on: 'On',
  goesTo: params('Copies of new mail go to {email}.'),
  waiting: params(
    'Waiting for confirmation: the owner of {email} has to open the link that was mailed there and press Agree. The link works for 24 hours: send it again if it has expired.',
  ),
  start: 'Forward my mail',
  address: 'Forward to',
  text: 'We mail a link to the address. Copies go there once its owner has opened the link and agreed.',
  submit: 'Send the link',
  busy: 'Sending',
  mailed: params('A link is on its way to {email}'),
  onlyFiltered: 'Only messages that a filter of mine forwards',
  stop: 'Stop forwarding',
  stopped: 'Your mail is no longer forwarded',
});
