import { isAscii } from 'node:buffer';
import { TextDecoder } from 'node:util';

/** Labels under which anything is sent, by programs that give them to every text. */
const asciiFamily = new Set(['', 'ascii', 'usascii', 'utf8', 'ansix341968', 'unknown8bit', 'xunknown', 'default']);

/** Says whether a charset that a sender names tells more than that the text has ASCII in it. */
export function isBelievable(charset: string): boolean {
  return !asciiFamily.has(charset.toLowerCase().replace(/[^a-z0-9]+/g, ''));
}

/** The text of bytes in the charset that their sender names, where it is believable and known. */
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
 * The text of bytes in an unknown charset: UTF-8 if it is valid, or damaged here and there. Else
 * another one, by itself Windows-1252, which reads any bytes.
 */
export function decodeBytes(bytes: Uint8Array, otherwise = 'windows-1252'): string {
  const text = utf8.decode(bytes);
  return !text.includes(replacement) || isDamagedUtf8(text, bytes) ? text : new TextDecoder(otherwise).decode(bytes);
}

/** The same of binary text, as which a header is read. */
export function decodeBinary(text: string, otherwise?: string): string {
  return beyondAscii.test(text) ? decodeBytes(Buffer.from(text, 'latin1'), otherwise) : text;
}

/**
 * The same of words, which may be in ISO-2022-JP too. Between its marks ASCII stands for other
 * letters, so this is not for what the checks of a sender read.
 */
export function decodeWording(bytes: Buffer, otherwise?: string): string {
  const isJapanese = isAscii(bytes) && (bytes.includes('\x1b$B') || bytes.includes('\x1b$@'));
  return isJapanese ? new TextDecoder('iso-2022-jp').decode(bytes) : decodeBytes(bytes, otherwise);
}

/**
 * The charset that a label means, for text that is no UTF-8; undefined where it tells nothing of
 * it.
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

/** In these, ASCII would be other bytes, or other letters. */
const unlikeAscii = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp']);

const beyondAscii = /[\x80-\xff]/;
/** Stands for each sequence of bytes that is no UTF-8. */
const replacement = '\ufffd';

/**
 * Programs cut texts within a character, and lists add a footer in their own charset. By chance,
 * text in other charsets has far fewer well-formed characters than others.
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

/** The same of HTML, which may name its charset itself. */
export function decodeHtml(bytes: Buffer): string {
  const label = meta.exec(new TextDecoder('windows-1252').decode(bytes.subarray(0, searched)))?.[1];
  return decodeWording(bytes, charsetByLabel(label ?? ''));
}

/** Browsers look no further for it either (HTML 13.2.3.2). */
const searched = 1024;
const meta = /<meta\s[^>]*?\bcharset\s*=\s*["']?\s*([\w.:+-]{1,40})/i;
