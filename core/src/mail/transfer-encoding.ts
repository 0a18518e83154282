const cr = 0x0d;
const lf = 0x0a;
const equals = 0x3d;
const lineLength = 76;
const hex = Buffer.from('0123456789ABCDEF', 'latin1');

/** RFC 2045 6.7. Line ends are not encoded, so the bytes must be text whose lines end with CRLF. */
export function encodeQuotedPrintable(text: Buffer): Buffer {
  // Three bytes for one at most, and three more for each soft line break
  const out = Buffer.allocUnsafe(text.length * 3 + Math.ceil(text.length / 24) * 3);
  let length = 0;
  let column = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    if (byte === cr && text[at + 1] === lf) {
      out[length++] = cr;
      out[length++] = lf;
      at += 1;
      column = 0;
      continue;
    }
    const isPlain = isPlainAt(text, at);
    if (column + (isPlain ? 1 : 3) > lineLength - 1) {
      length += out.write('=\r\n', length, 'latin1');
      column = 0;
    }
    if (isPlain) out[length++] = byte;
    else {
      out[length++] = equals;
      out[length++] = hex[byte >> 4] ?? 0;
      out[length++] = hex[byte & 15] ?? 0;
    }
    column += isPlain ? 1 : 3;
  }
  return out.subarray(0, length);
}

/**
 * Whether a byte needs no escape. Servers may remove white space at the end of a line, so it is
 * escaped.
 */
function isPlainAt(text: Buffer, at: number): boolean {
  const byte = text[at] ?? 0;
  if (byte === 0x20 || byte === 0x09) return at + 1 < text.length && text[at + 1] !== cr;
  return byte > 0x20 && byte < 0x7f && byte !== equals;
}

/** RFC 2045 6.8, in lines of 76 characters, each with its CRLF. */
export function encodeBase64(bytes: Buffer): Buffer {
  return wrapBase64(Buffer.from(bytes.toString('base64'), 'latin1'));
}

/** The same base64 in lines of 76 characters. */
export function wrapBase64(encoded: Buffer): Buffer {
  // RFC 2045 6.8: characters outside of base64 are ignored
  const characters = encoded.toString('latin1').replace(/[\s\x80-\xff]+/g, '');
  return Buffer.from(characters.replace(/.{1,76}/g, '$&\r\n'), 'latin1');
}

/** The same quoted-printable text with soft line breaks in the lines that are too long. */
export function wrapQuotedPrintable(encoded: Buffer): Buffer {
  const text = encoded.toString('latin1');
  return Buffer.from(text.replace(/[^\r\n]{77,}/g, wrapLine), 'latin1');
}

/** White space before a soft line break is protected by the = that follows it. */
function wrapLine(line: string): string {
  const pieces: string[] = [];
  let start = 0;
  while (line.length - start > lineLength) {
    const end = beforeEscape(line, start + lineLength - 1);
    pieces.push(line.slice(start, end));
    start = end;
  }
  return [...pieces, line.slice(start)].join('=\r\n');
}

/** The start of an escape that a break at this place would split; else the same place. */
function beforeEscape(line: string, at: number): number {
  const starts = [at - 1, at - 2];
  return starts.find((start) => /^=[0-9A-Fa-f]{2}/.test(line.slice(start, start + 3))) ?? at;
}

/** The same quoted-printable text with its 8-bit bytes escaped, which are not allowed there. */
export function escapeRawBytes(encoded: Buffer): Buffer {
  const text = encoded.toString('latin1').replace(/[\x80-\xff]/g, (sign) => `=${hexOf(sign)}`);
  return wrapQuotedPrintable(Buffer.from(text, 'latin1'));
}

function hexOf(sign: string): string {
  return sign.charCodeAt(0).toString(16).toUpperCase();
}
