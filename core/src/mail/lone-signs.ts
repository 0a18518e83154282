/*
 * The HTML parser makes an event of each `<` that begins no tag and of each `&` that begins no
 * character reference. A text of nothing else takes a microsecond for each, which is seconds for a
 * message. So these signs are put away while the parser works.
 */

// Noncharacters: no text may have them, so none of them can be the sender's
const lessThan = '\ufdd0';
const ampersand = '\ufdd1';

/** The HTML with its lone signs put away. */
export function hideLoneSigns(html: string): string {
  return html
    .replace(/[\ufdd0\ufdd1]/g, '')
    .replace(/<(?![a-z/!?])/gi, lessThan)
    .replace(/&(?![a-z#])/gi, ampersand);
}

/** Gives the signs back, as they stand in HTML. */
export function escapeHidden(html: string): string {
  return html.replaceAll(lessThan, '&lt;').replaceAll(ampersand, '&amp;');
}

/** Gives the signs back as they are. */
export function revealHidden(text: string): string {
  return text.replaceAll(lessThan, '<').replaceAll(ampersand, '&');
}
