/*
 * Encoded words (RFC 2047) with signs in them that must not stand there as they are.
 */

const word = /=\?([\w*-]+)\?[Qq]\?([^?]*)\?=/g;
const beyondAscii = /([\u0080-\u{10ffff}]+)/u;
/** Before the code of a character is no end of a word, but a question mark: `So?=20what?=`. */
const wordWithMarks = /(=\?[\w*-]+\?[Qq]\?)((?:[^?=\s]|=(?!\?)|\?(?!=)|\?(?==[\dA-F]{2}))+)(?=\?=)/g;

/**
 * Takes raw text out of encoded words: their question marks, and in other charsets than UTF-8 what
 * is beyond ASCII. RFC 2047 allows only ASCII there, but some programs leave 8-bit bytes in. They
 * were decoded before, as UTF-8 or in the charset of the message, and the charset of the word must
 * not be applied to them a second time.
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
 * Encodes the question marks that some programs leave in the text of a word. They end it for every
 * strict reader, which then shows it raw.
 */
export function escapeBareMarks(header: string): string {
  return header.replace(wordWithMarks, (_whole, start: string, text: string) => start + text.replaceAll('?', '=3F'));
}
