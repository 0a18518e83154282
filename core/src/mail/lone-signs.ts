/*
 * The HTML parser emits an event for each `<` that begins no tag and each `&` that begins no
 * character reference. Each takes a microsecond, so a message full of them takes seconds. So these
 * characters are replaced while the parser works.
 */

// Noncharacters: no text may contain them, so a sender's text never does
const lessThan = '\ufdd0';
const ampersand = '\ufdd1';

/** Replaces the lone characters in HTML. */
export function hideLoneSigns(html: string): string {
  return html
    .replace(/[\ufdd0\ufdd1]/g, '')
    .replace(/<(?![a-z/!?])/gi, lessThan)
    .replace(/&(?![a-z#])/gi, ampersand);
}

/** Restores the characters as HTML character references. */
export function escapeHidden(html: string): string {
  return html.replaceAll(lessThan, '&lt;').replaceAll(ampersand, '&amp;');
}

/** Restores the characters themselves. */
export function revealHidden(text: string): string {
  return text.replaceAll(lessThan, '<').replaceAll(ampersand, '&');
}
