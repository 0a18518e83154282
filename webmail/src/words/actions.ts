import { words } from '../lib/i18n.ts';

/** Texts that all changes with undo share. */
export const actionWords = words('actions', { undo: 'Undo' });
