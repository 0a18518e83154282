import { count, params, words } from '../lib/i18n.ts';

/** Texts of the outgoing mail that waits. */
export const queueWords = words('mailQueue', {
  title: 'Queue',
  search: 'Search for a domain',
  none: 'Nothing waits',
  noneFound: 'Nothing waits for that domain',
  hint: 'Mail that another server has not taken yet waits here until its next attempt.',
  domain: 'For',
  why: 'Why it waits',
  messages: 'Messages',
  next: 'Next attempt',
  oldest: 'Oldest',
  sending: count({ one: '{count} is being sent', other: '{count} are being sent' }),
  rowName: params('{domain}: {reason}'),
  show: 'Show the messages',
  retry: 'Retry now',
  hold: 'Hold',
  release: 'Release',
  giveUp: 'Give up…',
  givingUp: 'Giving up…',
  giveUpTitle: 'Give up?',
  giveUpMany: params(
    'Mail waiting for {domain} is not tried again. Each sender gets a report that it was not delivered.',
  ),
  giveUpOne: params(
    'The message for {recipient} is not tried again. The sender gets a report that it was not delivered.',
  ),
  cancel: 'Cancel',
  giveUpConfirm: 'Give up',
  retried: count({ one: '{count} message is being tried now', other: '{count} messages are being tried now' }),
  held: count({ one: '{count} message is held', other: '{count} messages are held' }),
  released: count({ one: '{count} message is released', other: '{count} messages are released' }),
  gaveUp: count({ one: '{count} message was given up', other: '{count} messages were given up' }),
  nothing: 'Nothing was changed: what is being sent at this moment is left alone.',
});
