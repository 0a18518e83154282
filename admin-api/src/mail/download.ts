import { Readable } from 'node:stream';
import { pictureType } from '@selvage/core/mail/picture-type';
import type { App } from '@selvage/core/context/app';
import type { Context } from 'koa';
import { limitSending } from '../http/limit-sending.ts';
import type { ZipOfMessage } from './zip-attachments.ts';

/** A file on its way to a browser. */
export interface Download {
  filename: string;
  contentType: string;
  /** The charset that the sender names for a text, with which the web app shows it. */
  charset?: string | undefined;
  content: Buffer;
  /** True for a picture in the text of a message, which is shown if its bytes are a picture. */
  mayShow: boolean;
}

/** A stranger wrote the bytes: a browser that opens them all the same runs nothing of them. */
function neverRun(koa: Context): void {
  koa.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  koa.set('X-Content-Type-Options', 'nosniff');
}

/** Answers with a file that is saved, never opened, whatever it claims to be (D19). */
export function answerDownload(koa: Context, file: Download): void {
  const shown = file.mayShow ? pictureType(file.content) : null;
  neverRun(koa);
  // The text of a message has an opaque origin, to which the pictures of this host are cross-origin
  koa.set('Cross-Origin-Resource-Policy', shown ? 'cross-origin' : 'same-origin');
  koa.set('Cache-Control', 'private, max-age=900');
  koa.set('Content-Disposition', shown ? 'inline' : dispositionOf(file.filename));
  koa.body = file.content;
  // Koa sets a type with the body, so this comes after it. No type that a browser opens as a page
  // gets through
  const charset = file.charset === undefined ? '' : `; charset=${file.charset}`;
  koa.set('Content-Type', shown ?? `${savedType(file.contentType)}${charset}`);
}

/** Answers with a picture of another server, of a type that its bytes have. */
export function answerPicture(koa: Context, { type, content }: { type: string; content: Readable }): void {
  neverRun(koa);
  // The text of a message has an opaque origin, to which the pictures of this host are cross-origin
  koa.set('Cross-Origin-Resource-Policy', 'cross-origin');
  koa.set('Cache-Control', 'private, max-age=86400');
  koa.set('Content-Disposition', 'inline; filename="picture"');
  koa.body = content;
  koa.set('Content-Type', type);
}

/**
 * Answers with an archive that is made while it is sent. When a file of it can't be read, the
 * connection is cut, so that a browser does not take what it has for the whole.
 */
export function answerZip(app: App, koa: Context, { filename, bytes }: ZipOfMessage): void {
  neverRun(koa);
  koa.set('Cross-Origin-Resource-Policy', 'same-origin');
  koa.set('Cache-Control', 'private, no-store');
  koa.set('Content-Disposition', dispositionOf(filename));
  koa.status = 200;
  // A browser asks whether the path is still good before it begins to save
  if (koa.method !== 'HEAD') {
    koa.body = Readable.from(bytes, { objectMode: false });
    // It holds as much of the memory for messages as a file that is sent whole
    limitSending(app, koa);
  }
  koa.set('Content-Type', 'application/zip');
}

/** RFC 6266 with the name encoded by RFC 8187, and an ASCII name for old browsers. */
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
