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
  discardTitle: 'Discard what you typed?',
  discardText: 'It is not saved yet and will be gone.',
  discard: 'Discard',
  keepEditing: 'Keep editing',
  typeWord: params('Type {word} to confirm'),
  working: 'Working',
  stop: 'Stop',
  stopping: 'Stopping…',
  goOn: 'Continue',
  unsaved: params('“{title}”'),
});
