// Control characters, characters that change the direction of text, and invisible ones
const hidden = /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;

/**
 * Text of a stranger as one line that shows all of it: characters that are invisible, or would
 * reorder the letters around them, are shown as their codes.
 */
export function visibleText(text: string): string {
  return text.replace(hidden, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
