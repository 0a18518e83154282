/**
 * Greek and all scripts behind it in Unicode, and the numero sign, but no Latin letter with a mark
 * and no sign of money. Every first visit loads this, and the names of scripts would be longer.
 */
const foreignSign = /[\u0370-\u1dff\u2116\u2c00-\uffff]/;

/** What a keyboard event says of the key. */
interface Key {
  key: string;
  code: string;
  shiftKey: boolean;
}

/**
 * The sign that a key means as a shortcut. Caps Lock does not count. A layout without Latin letters
 * means the letters that a Latin keyboard has in the same places. A key without a `code`, as the
 * page makes them itself, is a sign already.
 */
export function signOf({ key, code, shiftKey }: Key): string {
  if (key.length !== 1 || code === '') return key;
  const isForeign = foreignSign.test(key);
  const letter = isForeign ? code.replace('Key', '') : key;
  if (/^[a-z]$/i.test(letter)) return shiftKey ? letter.toUpperCase() : letter.toLowerCase();
  return isForeign && shiftKey && code === 'Digit3' ? '#' : key;
}
