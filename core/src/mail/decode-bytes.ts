import { TextDecoder } from 'node:util';

/**
 * The text of bytes in an unknown charset: UTF-8 if it is valid, else Windows-1252, which reads any
 * bytes.
 */
export function decodeBytes(bytes: Uint8Array, otherwise = 'windows-1252'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8
    return new TextDecoder(otherwise).decode(bytes);
  }
}

/** The same of HTML, which may name its charset itself. */
export function decodeHtmlBytes(bytes: Uint8Array): string {
  return decodeBytes(bytes, charsetInHtml(bytes));
}

/** Browsers look no further for it either (HTML 13.2.3.2). */
const searched = 1024;
const meta = /<meta\s[^>]*?\bcharset\s*=\s*["']?\s*([\w.:+-]{1,40})/i;
/** In these, the ASCII that names them would be other bytes. */
const unlikeAscii = new Set(['utf-16le', 'utf-16be', 'iso-2022-jp']);

function charsetInHtml(bytes: Uint8Array): string | undefined {
  const label = meta.exec(new TextDecoder('windows-1252').decode(bytes.subarray(0, searched)))?.[1];
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    return unlikeAscii.has(encoding) || encoding === 'utf-8' ? undefined : encoding;
  } catch {
    // An unknown charset
    return undefined;
  }
}
