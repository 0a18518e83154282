import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Charset labels that some programs give to every text, whatever its charset. */
const asciiFamily = new Set(['', 'ascii', 'usascii', 'utf8', 'ansix341968', 'unknown8bit', 'xunknown', 'default']);

/** Whether the charset that a sender names says more than that the text has ASCII in it. */
export function isBelievable(charset: string): boolean {
  return !asciiFamily.has(charset.toLowerCase().replace(/[^a-z0-9]+/g, ''));
}

/** Decodes bytes in the charset that their sender names, if that is believable and known. */
export function decodeNamed(bytes: Uint8Array, charset: string): string {
  if (!isBelievable(charset)) return decodeBytes(bytes);
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An unknown charset
    return decodeBytes(bytes);
  }
}

const utf8 = new TextDecoder();

/**
 * Decodes bytes in an unknown charset: as UTF-8 if they are valid, or damaged only in some places.
 * Otherwise in another charset, by default Windows-1252, which can read any bytes.
 */
export function decodeBytes(bytes: Uint8Array, otherwise = 'windows-1252'): string {
  const text = utf8.decode(bytes);
  return !text.includes(replacement) || isDamagedUtf8(text, bytes) ? text : new TextDecoder(otherwise).decode(bytes);
}

/** As `decodeBytes`, for binary text, such as a header. */
export function decodeBinary(text: string, otherwise?: string): string {
  return beyondAscii.test(text) ? decodeBytes(Buffer.from(text, 'latin1'), otherwise) : text;
}

/**
 * As `decodeBytes`, for text that may also be in ISO-2022-JP. Within its escape sequences ASCII
 * bytes mean other letters, so it must not be used for fields that the checks of a sender read.
 */
export function decodeWording(bytes: Buffer, otherwise?: string): string {
  const isJapanese = isAscii(bytes) && (bytes.includes('\x1b$B') || bytes.includes('\x1b$@'));
  return isJapanese ? new TextDecoder('iso-2022-jp').decode(bytes) : decodeBytes(bytes, otherwise);
}

/**
 * The encoding that a label names, for text that is not UTF-8; undefined when the label is unknown
 * or says nothing.
 */
export function charsetByLabel(label: string): string | undefined {
  if (!isBelievable(label)) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    return unlikeAscii.has(encoding) ? undefined : encoding;
  } catch {
    // An unknown charset
    return undefined;
  }
}

/** In these encodings, ASCII characters have other bytes, or ASCII bytes mean other letters. */
const unlikeAscii = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp']);

const beyondAscii = /[\x80-\xff]/;
/** The decoder's character for each sequence of bytes that is not UTF-8. */
const replacement = '\ufffd';

/**
 * Whether text is UTF-8 with some damage: programs cut texts within a character, and lists add a
 * footer in their own charset. In text of another charset, few sequences are well-formed UTF-8 by
 * chance.
 */
function isDamagedUtf8(text: string, bytes: Uint8Array): boolean {
  const written = countOf(bytes, Buffer.from(replacement));
  let replaced = -written;
  let wellFormed = written;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd) replaced++;
    else if (unit > 0x7f) wellFormed++;
  }
  return wellFormed >= replaced;
}

function countOf(bytes: Uint8Array, sequence: Buffer): number {
  const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = searched.indexOf(sequence); at >= 0; at = searched.indexOf(sequence, at + sequence.length)) count++;
  return count;
}

/** As `decodeBytes`, for HTML, which may name its charset itself. */
export function decodeHtml(bytes: Buffer): string {
  const label = meta.exec(new TextDecoder('windows-1252').decode(bytes.subarray(0, searched)))?.[1];
  return decodeWording(bytes, charsetByLabel(label ?? ''));
}

/** Browsers search no further for the charset either (HTML 13.2.3.2). */
const searched = 1024;
const meta = /<meta\s[^>]*?\bcharset\s*=\s*["']?\s*([\w.:+-]{1,40})/i;
