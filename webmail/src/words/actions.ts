import { words } from '../lib/i18n.ts';

/** Texts that all changes with undo share. */
export const actionWords = words('actions', {
  undo: 'Undo',
  /** Where changes wait for the one before, in the question before a page is left. */
  waiting: 'the list',
});
