import { params, words } from '../lib/i18n.ts';

/** Leaving a mailing list. */
export const unsubscribeWords = words('unsubscribe', {
  title: params('Unsubscribe from {sender}?'),
  oneClick: params('{host} is told that you want no more of these messages. It learns nothing else about you.'),
  onPage: params('The sender handles this on its own page, at {host}. It opens in a new tab.'),
  unsubscribe: 'Unsubscribe',
  openPage: 'Open the page',
  done: params('{sender} was told. A few more messages may still arrive.'),
  refused: params('{host} did not take the request, so nothing has changed. Try again later.'),
});
