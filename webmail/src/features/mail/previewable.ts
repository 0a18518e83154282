import type { AttachmentDto } from '@selvage/core/contracts/email';

/** Larger files are saved and opened elsewhere. */
const MOST_BYTES = 10 * 1_048_576;
const MOST_PDF_BYTES = 25 * 1_048_576;
type Kind = 'picture' | 'text' | 'pdf';
/** Among the types are those that old programs, phones and scanners write. */
const byType: readonly [RegExp, Kind][] = [
  [/^image\/(?:(?:x-)?png|p?jpe?g|gif|webp|avif)$/, 'picture'],
  [/^(?:text\/(?:plain|csv|markdown)|application\/json)$/, 'text'],
  [/^application\/(?:x-)?pdf$/, 'pdf'],
];
const byEnding: readonly [RegExp, Kind][] = [
  [/\.(?:png|jpe?g|gif|webp|avif)$/i, 'picture'],
  [/\.(?:txt|csv|md|json)$/i, 'text'],
  [/\.pdf$/i, 'pdf'],
];
/** Types that say nothing about a file, so that its name counts. */
const unspecific = /^(?:(?:application|binary)\/octet-stream|application\/(?:force-download|(?:x-)?download|unknown))$/;

/**
 * How a file can be looked at here: as a raster picture, as plain text, or as pictures of its pages
 * that pdf.js draws (D51). Null for everything else: what could run something, such as HTML and
 * SVG, is only ever saved (D19). A wrong name or type makes nothing run, since the same three ways
 * to show a file are all there are.
 */
export function previewOf({ contentType, original_name: name, size }: AttachmentDto): Kind | null {
  const type = contentType.toLowerCase().split(';')[0]?.trim() ?? '';
  const [kinds, given] = unspecific.test(type) ? [byEnding, name] : [byType, type];
  const kind = kinds.find(([form]) => form.test(given))?.[1] ?? null;
  const most = kind === 'pdf' ? MOST_PDF_BYTES : MOST_BYTES;
  return size > 0 && size <= most ? kind : null;
}

/** The most bytes of a text that are shown. */
const SHOWN_BYTES = 262_144;

/**
 * The beginning of a text file in its likely charset, and whether that is not all of it. The type
 * of the file names the charset that its sender gave it, if any.
 */
export async function readText(file: Blob): Promise<{ text: string; isCut: boolean }> {
  const bytes = new Uint8Array(await file.slice(0, SHOWN_BYTES).arrayBuffer());
  const isCut = file.size > SHOWN_BYTES;
  return { text: decode(bytes, charsetIn(file.type), isCut), isCut };
}

/** The charset that a media type names; null for none, and for ASCII, which many texts are not. */
function charsetIn(type: string): string | null {
  const [, charset = ''] = /;\s*charset="?([^\s;"]+)/i.exec(type) ?? [];
  return charset === '' || /^(?:us-)?ascii$/i.test(charset) ? null : charset;
}

/**
 * A byte order mark is the surest sign. A charset that the sender names is believed, but UTF-8 only
 * if the bytes are valid UTF-8.
 */
function decode(bytes: Uint8Array<ArrayBuffer>, named: string | null, isCut: boolean): string {
  const declared = named === null ? null : decoderOf(named);
  const isUtf8 = declared === null || declared.encoding === 'utf-8';
  const marked = markedCharset(bytes) ?? (isUtf8 ? escapedCharset(bytes) : null);
  // A cut in the middle of a character is no error of the file
  const options = { stream: isCut };
  if (marked !== null) return new TextDecoder(marked).decode(bytes, options);
  if (declared !== null && !isUtf8) return declared.decode(bytes, options);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, options);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Null for a charset that the browser does not know. */
function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset);
  } catch {
    return null;
  }
}

/** The charset that a byte order mark tells. */
function markedCharset([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

const ESCAPE = 0x1b;

/** ISO-2022-JP has bytes of ASCII alone, and turns to Japanese by `ESC $ @` or `ESC $ B`. */
function escapedCharset(bytes: Uint8Array): string | null {
  if (bytes.some((byte) => byte >= 0x80)) return null;
  const turns = bytes.some(
    (byte, at) => byte === ESCAPE && bytes[at + 1] === 0x24 && (bytes[at + 2] === 0x40 || bytes[at + 2] === 0x42),
  );
  return turns ? 'iso-2022-jp' : null;
}
