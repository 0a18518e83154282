import { count, params, words } from '../lib/i18n.ts';

/** Texts of backups: copies of a person's mail that another person reads. */
export const backupWords = words('backups', {
  title: 'Backup',
  search: 'Search backups',
  email: 'Email',
  createdAt: 'Backup Created At',
  delete: 'Delete',
  deleteTitle: 'Delete this backup?',
  deleteText: 'Are you sure you want to delete this backup email?',
  deleteMore:
    'This can’t be taken back. The owner’s own mailbox stays as it is; if their account is gone, this may be the last copy of their mail.',
  deleted: 'Backup deleted',
  none: 'No backups',
  noneFound: 'No backups found matching your search.',
  hint: 'When an administrator gives you a copy of a person’s mail, you find it here.',
  counts: params('{received} received, {sent} sent'),
  beingMade: params('Being made: {percent}'),

  back: 'Back',
  searchMail: 'Search by subject or sender',
  parts: 'Parts of this backup',
  received: params('View Received Mails by {email}'),
  sent: params('View Sent Mails by {email}'),
  receivedShort: 'Received',
  sentShort: 'Sent',
  noMail: params('No emails found for {type} type.'),
  noMailFound: 'No emails found matching your search.',
  typeReceived: 'received',
  typeSend: 'send',
  messages: count({ one: '{count} message', other: '{count} messages' }),
  attachments: count({ one: '{count} attachment', other: '{count} attachments' }),
  unread: 'Unread',

  readOnly: params(
    'From the backup of {email}. It is read-only, and the owner sees in their account settings that you opened the backup.',
  ),

  give: 'Backup',
  giveTitle: 'Backup user data',
  giveText: params(
    '{name}’s received and sent mail is copied into a backup mailbox. Another person reads it under Backup, and {name} sees in their account settings who that is.',
  ),
  giveAgain: 'If that person has a backup of this mailbox already, what is new is added to it.',
  reader: 'Who gets the backup',
  readerHint: params('A person of {company}.'),
  readerFrom: 'Person of',
  emailRequired: 'Email is required.',
  submit: 'Back up',
  submitting: 'Starting…',
  failed: 'Failed to send backup email. Please try again.',
  progressTitle: params('Backup of {email}'),
  progress: params('{copied} of {total} messages'),
  copying: 'Copying mail',
  copyingText: 'You can close this window: the copying goes on.',
  ready: params('The backup is ready. {email} finds it under Backup.'),
  notAllowed: params(
    '{email} may not open backups yet. Allow “View” of Backup in their permissions, so that they can read it.',
  ),
  close: 'Close',

  ofUser: 'Backup Emails',
  noneOfUser: 'No backup emails added',
  readersOfUser: 'Backed up for',
  since: params('{email} ({day})'),

  givenBy: params('given by {name} on {time}'),
  opened: params('last opened on {day}'),
  neverOpened: 'not opened yet',
  removed: params('deleted on {time}'),
  canRead: 'Can read',
  wasDeleted: 'Deleted',
});
