import { params, words } from '../lib/i18n.ts';

/** Texts that all forms share. */
export const formWords = words('forms', {
  save: 'Save',
  saving: 'Saving',
  cancel: 'Cancel',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  generate: 'Generate',
  anotherPerson: 'Another person',
  conflict: params('{by} saved this on {at}, after you opened it. Nothing of yours was saved yet.'),
  conflictFields: params('{by} changed {fields} on {at}, after you opened this. Nothing of yours was saved yet.'),
  keepMine: 'Keep my changes on top',
  takeTheirs: 'Use theirs',
});
