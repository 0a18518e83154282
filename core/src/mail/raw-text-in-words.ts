/*
 * Corrects encoded words (RFC 2047) that contain characters which are not allowed there.
 */

const word = /=\?([\w*-]+)\?[Qq]\?([^?]*)\?=/g;
const beyondAscii = /([\u0080-\u{10ffff}]+)/u;
/**
 * Matches words that contain question marks. A `?=` before a character code does not end a word:
 * `So?=20what?=`.
 */
const wordWithMarks = /(=\?[\w*-]+\?[Qq]\?)((?:[^?=\s]|=(?!\?)|\?(?!=)|\?(?==[\dA-F]{2}))+)(?=\?=)/g;

/**
 * Moves raw text out of encoded words: bare question marks are encoded, and in words of other
 * charsets than UTF-8, characters beyond ASCII get a word of their own. RFC 2047 allows only ASCII
 * there, but some programs leave 8-bit bytes in. They were decoded before, as UTF-8 or in the
 * charset of the message, so the charset of the word must not be applied to them a second time.
 * @param header text with its raw bytes decoded
 */
export function separateRawText(header: string): string {
  return escapeBareMarks(header).replace(word, (whole, charset: string, text: string) => {
    if (!beyondAscii.test(text) || /^utf-?8(?:\*|$)/i.test(charset)) return whole;
    const pieces = text.split(beyondAscii).filter((piece) => piece !== '');
    return pieces.map((piece) => `=?${beyondAscii.test(piece) ? 'utf-8' : charset}?Q?${piece}?=`).join('');
  });
}

/**
 * Encodes the bare question marks that some programs leave in the text of a word. A strict reader
 * would end the word there, and show it raw.
 */
export function escapeBareMarks(header: string): string {
  return header.replace(wordWithMarks, (_whole, start: string, text: string) => start + text.replaceAll('?', '=3F'));
}
