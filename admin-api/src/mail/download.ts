import type { Readable } from 'node:stream';
import type { Context } from 'koa';

/** A file on its way to a browser. */
export interface Download {
  filename: string;
  contentType: string;
  content: Buffer | Readable;
  size?: number;
  /** A picture of a message's text: shown in place when its bytes are those of a picture. */
  mayShow: boolean;
}

/** Pictures that browsers show without running anything, by their first bytes; what a sender calls them proves nothing. */
const pictures: { type: string; matches: (bytes: Buffer) => boolean }[] = [
  { type: 'image/png', matches: (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')) },
  { type: 'image/jpeg', matches: (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff },
  { type: 'image/gif', matches: (bytes) => /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6)) },
  {
    type: 'image/webp',
    matches: (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
  },
];

/** The type of a harmless picture, or null for everything else. */
export function pictureType(bytes: Buffer): string | null {
  return pictures.find(({ matches }) => matches(bytes))?.type ?? null;
}

/** Answers with a file that is saved, never opened, whatever it claims to be (D19). */
export function answerDownload(koa: Context, file: Download): void {
  const shown = file.mayShow && Buffer.isBuffer(file.content) ? pictureType(file.content) : null;
  koa.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  koa.set('X-Content-Type-Options', 'nosniff');
  // message texts are shown in an origin of their own, from where our pictures are another site's
  koa.set('Cross-Origin-Resource-Policy', shown ? 'cross-origin' : 'same-origin');
  koa.set('Cache-Control', 'private, max-age=900');
  koa.set('Content-Disposition', shown ? 'inline' : dispositionOf(file.filename));
  koa.body = file.content;
  // the body sets a type of its own, so ours comes after it; nothing a browser would open as a page gets through
  koa.set('Content-Type', shown ?? savedType(file.contentType));
  if (file.size !== undefined) koa.length = file.size;
}

/** RFC 6266 with the name as RFC 8187 encodes it, and an ASCII one for those who read only that. */
export function dispositionOf(filename: string): string {
  const ascii = filename.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function savedType(contentType: string): string {
  const isPlain =
    /^(image\/(png|jpeg|gif|webp)|audio\/[\w.+-]+|video\/[\w.+-]+|application\/(pdf|zip|[\w.+-]*(word|sheet|presentation|opendocument)[\w.+-]*))$/i;
  return isPlain.test(contentType) ? contentType.toLowerCase() : 'application/octet-stream';
}
