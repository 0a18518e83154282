import { count, params, words } from '../lib/i18n.ts';

/** Texts of an open message. */
export const readingWords = words('reading', {
  message: 'Message',
  back: 'Back',
  loading: 'Loading the message',
  wholeSubject: 'Show the whole subject',
  textOf: params('Text of {subject}'),
  replies: params('Replies ({number})'),
  to: params('To: {addresses}'),
  cc: params('Cc: {addresses}'),
  bcc: params('Bcc: {addresses}'),
  picturesHeld: 'Pictures from elsewhere are not loaded, so the sender can’t see that you read this.',
  showPictures: 'Show pictures',
  showQuoted: 'Show quoted text',
  attachments: count({ one: '{count} attachment', other: '{count} attachments' }),
  download: params('Download {name}, {size}'),
  linkRanOut: 'This link has run out. Reload the message.',
  aboutToBeSent: 'This message is about to be sent.',
  undo: 'Undo',
  undoing: 'Undoing',
  senderDomain: 'the sender’s domain',
  verified: params('Really from {domain}'),
  suspicious: params('Claims to be from {domain}, but that could not be confirmed. Be careful'),
  likely: params('Probably from {domain}, which publishes no rule to be sure by'),
  unknown: params('No record confirms that this is from {domain}'),
});

/** The list of keys that work in mail. */
export const shortcutWords = words('shortcuts', {
  title: 'Keyboard shortcuts',
  next: 'Next message',
  previous: 'Previous message',
  open: 'Open the message',
  select: 'Select or unselect',
  archive: 'Archive',
  star: 'Add or remove the star',
  delete: 'Delete',
  reply: 'Reply',
  replyAll: 'Reply all',
  forward: 'Forward',
  compose: 'Write a message',
  back: 'Back to the list',
  undo: 'Undo sending',
  search: 'Search mail',
  help: 'This help',
});
