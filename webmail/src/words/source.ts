import { count, params, words } from '../lib/i18n.ts';

/** The source of a message, and its way. */
export const sourceWords = words('source', {
  title: 'Source of the message',
  loading: 'Loading the source',
  close: 'Close',
  save: 'Save the whole message',
  saving: 'Saving',
  way: 'Its route here, from server to server',
  noWay: 'No server has recorded its route.',
  takenBy: params('{by} took it'),
  handedOver: params('{from} handed it to {by}'),
  after: count({ one: ', {count} second later', other: ', {count} seconds later' }),
  checks: params('What this host found: {results}. Earlier servers could have written anything.'),
  header: 'Header',
});
