import { AppError } from '@selvage/core/errors';
import type { Context } from 'koa';

/** The first and the last byte of a file that an answer has. */
interface Part {
  start: number;
  end: number;
}

/**
 * Begins the answer with the part of a file that the request names, or with the whole file. Safari
 * plays no video whose server answers without parts.
 * @param etag as in the header, with its quotes
 * @throws AppError 416 for a part that the file does not have
 */
export function beginPart(koa: Context, size: number, etag: string): Part {
  const part = partOf(koa, size, etag);
  if (part === 'none') {
    koa.set('Content-Range', `bytes */${size}`);
    throw new AppError({
      status: 416,
      code: 'range_not_satisfiable',
      publicText: 'The requested range begins after the end of the file.',
    });
  }
  koa.set('Accept-Ranges', 'bytes');
  koa.status = part ? 206 : 200;
  if (part) koa.set('Content-Range', `bytes ${part.start}-${part.end}/${size}`);
  return part ?? { start: 0, end: size - 1 };
}

/**
 * The byte range that a GET names (RFC 9110 14.2). A request for several ranges gets the whole
 * file, and so does one whose range ends before it begins.
 * @returns null for the whole file; `none` for a range that the file does not have
 */
function partOf(koa: Context, size: number, etag: string): Part | null | 'none' {
  const condition = koa.get('If-Range');
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(koa.get('Range')) ?? [];
  if (koa.method !== 'GET' || (first === '' && last === '')) return null;
  if ((condition !== '' && condition !== etag) || (last !== '' && Number(last) < Number(first))) return null;
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? 'none' : { start, end };
}
