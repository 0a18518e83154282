const word = /=\?([\w*-]+)\?[Qq]\?([^?]*)\?=/g;
const beyondAscii = /([\u0080-\u{10ffff}]+)/u;

/**
 * Takes raw text out of encoded words of other charsets than UTF-8. RFC 2047 allows only ASCII
 * there, but some programs leave 8-bit bytes in. They were read as UTF-8 or Windows-1252 before,
 * and the charset of the word must not be applied to them a second time.
 * @param header text with its raw bytes decoded
 */
export function separateRawText(header: string): string {
  return header.replace(word, (whole, charset: string, text: string) => {
    if (!beyondAscii.test(text) || /^utf-?8(?:\*|$)/i.test(charset)) return whole;
    const pieces = text.split(beyondAscii).filter((piece) => piece !== '');
    return pieces.map((piece) => `=?${beyondAscii.test(piece) ? 'utf-8' : charset}?Q?${piece}?=`).join('');
  });
}
