import { params, words } from '../lib/i18n.ts';

/** Where the link leads that is mailed to an address to which a person forwards their mail. */
export const confirmForwardingWords = words('confirmForwarding', {
  title: 'Agree to forwarded mail',
  hint: 'Agree that the person named in the mail forwards copies of their mail to this address.',
  submit: 'Agree',
  busy: 'Agreeing',
  doneTitle: 'Forwarding confirmed',
  done: params('From now on, copies of the mail for {email} go to {to}.'),
});
