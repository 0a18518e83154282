/**
 * Whether a key is meant for an input method, such as the Enter that chooses a word. Safari ends
 * the composition before it reports the key that confirms it, and marks that key by its code alone.
 */
export function isOfInputMethod({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === 229;
}
