import { count, params, words } from '../lib/i18n.ts';

/** Texts of the section that says what could let another person read one's mail. */
export const mailAccessWords = words('mail-access', {
  title: 'Who could read your mail',
  hint: 'People with a copy of it, archives of your company, addresses that get it, other ways into your account, and what administrators did to it in the last year.',
  none: 'No copies, no archives, no forwarding, no other device, and nothing that an administrator did to your account.',
  name: params('{name} ({email})'),
  getsCopies: 'Gets copies',
  ended: 'Ended',
  all: 'all new mail',
  filtered: 'only what your filters say',
  since: params('since {time}'),
  fromTo: params('from {since} to {until}'),
  inArchive: params('{name} had an archive of your whole company made, with your mail in it'),
  archiveKept: 'On this host',
  archiveGone: 'Deleted here',
  otherSessions: count({ one: 'One other device is logged in', other: '{count} other devices are logged in' }),
  appPasswords: count({
    one: 'One mail program has a password of its own',
    other: '{count} mail programs have passwords of their own',
  }),
  passkeys: count({
    one: 'One passkey opens your account, with your password',
    other: '{count} passkeys open your account, with your password',
  }),
  administrator: 'Administrator',
  setPassword: params('{name} set a new password for you'),
  enteredRecovery: params('{name} entered another recovery email for you'),
  mailedLink: params('{name} had a link made that could set a new password for you'),
  setByLink: params('A new password was set with a link to an address that {name} had chosen'),
  turnedOff: params('{name} turned off your two-factor authentication'),
  operator: 'The operator of this host',
  removedPerson: 'A person who is no longer here',
  from: params('from {ip}'),
  forwarding: 'Forwarding',
  show: 'Show',
  showNamed: params('Show: {what}'),
});
