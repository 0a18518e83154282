import type { DialogOpenChangeData } from '@fluentui/react-components';
import { isOfInputMethod } from '../../lib/input-method.ts';

/**
 * Whether what happened to a dialog asks to close it. The Escape that ends the composition of an
 * input method does not: it is meant for the word that is being written.
 */
export function asksToClose(change: DialogOpenChangeData): boolean {
  if (change.open) return false;
  return change.type !== 'escapeKeyDown' || !isOfInputMethod(change.event.nativeEvent);
}
