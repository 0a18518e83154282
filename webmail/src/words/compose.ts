import { count, params, words } from '../lib/i18n.ts';

/** The window in which a message is written. */
export const composeWords = words('compose', {
  newMessage: 'New Message',
  forward: 'Forward Email',
  close: 'Close',
  named: params('{name}: {subject}'),
  minimise: 'Minimise',
  restore: 'Open',
  fullScreen: 'Full screen',
  leaveFullScreen: 'Leave full screen',
  from: 'From',
  fromGone: params('You can no longer send from {address}. Choose another address.'),
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  subject: 'Subject',
  text: 'Message text',
  send: 'Send',
  sendAt: params('Send {when}'),
  sendNow: 'Send now',
  schedule: 'Schedule',
  sending: 'Sending',
  asking: 'Asking',
  uploading: 'Uploading the files',
  unknown: 'We do not know yet whether this was sent. We ask the server.',
  askNow: 'Ask now',
  sendAgain: 'Send this one as well',
  onlyMemory: 'This browser has no room to keep this message: it is kept only while this tab is open.',
  otherTab: 'This message was opened in another tab. What you write here is kept as a message of its own.',
  behind: count({
    one: '{count} more message is open behind this one',
    other: '{count} more messages are open behind this one',
  }),
  attach: params('Attach files. {limits}'),
  attachShort: 'Attach files',
  limits: params('Pictures up to {image}, other files up to {other}, {total} in all'),
  filesToAttach: 'Files to attach',
  files: 'Attachments',
  removeFile: params('Remove {name}'),
  format: 'Text format',
  options: 'Message',
  signature: 'Signature',
  noSignature: 'No signature',
  loading: 'Loading',
  noSignatures: 'You can make signatures in the account settings',
  clear: 'Clear All',
  discard: 'Discard',
  cancel: 'Cancel',
  ok: 'OK',
  missingTitle: 'Missing Recipients',
  missingText: 'Please add at least one recipient before sending.',
  emptyTitle: 'Send without a subject or text?',
  emptyText: 'Subject or message body is empty. Do you want to send anyway?',
  sendAnyway: 'Send anyway',
  clearTitle: 'Confirm Deletion',
  clearText: 'Recipients, subject, text and files of this message will be gone.',
  discardTitle: 'Discard this message?',
  discardText: 'What you wrote, with its files, will be gone.',
  keepWriting: 'Go on writing',
});

/** The fields of people. */
export const recipientWords = words('recipients', {
  listOf: params('{field}: recipients'),
  person: params('{name}, {address}'),
  wrong: params('{text}: {problem}'),
  remove: params('Remove {recipient}'),
  pressAgain: params('Press Backspace again to remove {recipient}'),
  hint: 'Separate addresses with a comma. Arrow keys move between recipients, Enter changes one, Delete removes it.',
});

/** Why a file was left out. */
export const fileProblemWords = words('compose-files', {
  pictureTooLarge: params('“{name}” is too large: a picture may have at most {limit}.'),
  fileTooLarge: params('“{name}” is too large: a file may have at most {limit}.'),
  tooMany: params('“{name}” was left out: at most {most} files fit in one message.'),
  tooMuch: params('“{name}” was left out: all files together may have at most {limit}.'),
});

/** What an answer or a forward says of the message it goes on from. */
export const quoteWords = words('quotes', {
  picture: 'Picture',
  attribution: params('On {date}, {sender} wrote:'),
  forwarded: '---------- Forwarded message ----------',
  from: params('From: {sender}'),
  date: params('Date: {date}'),
  subject: params('Subject: {subject}'),
  to: params('To: {people}'),
  cc: params('Cc: {people}'),
});
