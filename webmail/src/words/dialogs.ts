import { params, words } from '../lib/i18n.ts';

/** Texts that all dialogs share. */
export const dialogWords = words('dialogs', {
  cancel: 'Cancel',
  close: 'Close',
  ok: 'OK',
  create: 'Create',
  creating: 'Creating',
  delete: 'Delete',
  deleting: 'Deleting',
  leaveTitle: 'Leave without saving?',
  leaveText: params('What you changed in {what} is not saved yet and will be gone.'),
  leave: 'Leave',
  stay: 'Stay',
  discardTitle: 'Discard what you typed?',
  discardText: 'It is not saved yet and will be gone.',
  discard: 'Discard',
  keepEditing: 'Keep editing',
  typeWord: params('Type {word} to confirm'),
  working: 'Working',
});
