import { useLayoutEffect } from 'react';
import { restShortcuts } from '../hooks/use-shortcuts.ts';

/**
 * Stands in the place of a dialog that a key has asked for and that is still being fetched. What
 * the person types already is meant for the dialog, and must not act on the mail behind it.
 */
export function KeysRest(): null {
  useLayoutEffect(() => restShortcuts(), []);
  return null;
}
