import { Readable } from 'node:stream';
import { pictureType } from '@selvage/core/mail/picture-type';
import type { App } from '@selvage/core/context/app';
import type { Context } from 'koa';
import { limitSending } from '../http/limit-sending.ts';
import type { ZipOfMessage } from './zip-attachments.ts';

/** A file that is sent to a browser. */
export interface Download {
  filename: string;
  contentType: string;
  /** The charset that the sender declared for a text file, with which the web app shows it. */
  charset?: string | undefined;
  content: Buffer;
  /**
   * True for a picture within the text of a message. It is shown only if its bytes are a picture.
   */
  mayShow: boolean;
}

/**
 * Strangers wrote the bytes. If a browser opens them nevertheless, it must run no script in them.
 */
function neverRun(koa: Context): void {
  koa.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  koa.set('X-Content-Type-Options', 'nosniff');
}

/** Answers with a file that the browser saves and never opens, whatever type it claims (D19). */
export function answerDownload(koa: Context, file: Download): void {
  const shown = file.mayShow ? pictureType(file.content) : null;
  neverRun(koa);
  // The text of a message has an opaque origin, to which the pictures of this host are cross-origin
  koa.set('Cross-Origin-Resource-Policy', shown ? 'cross-origin' : 'same-origin');
  koa.set('Cache-Control', 'private, max-age=900');
  koa.set('Content-Disposition', shown ? 'inline' : dispositionOf(file.filename));
  koa.body = file.content;
  // Koa sets a type when the body is set, so this must come after. `savedType` lets no type through
  // that a browser opens as a page
  const charset = file.charset === undefined ? '' : `; charset=${file.charset}`;
  koa.set('Content-Type', shown ?? `${savedType(file.contentType)}${charset}`);
}

/**
 * For how many seconds a picture from another server is sent. It holds turns of its person and of
 * its server, which others wait for, until it is sent.
 */
const pictureSeconds = 30;

/** Answers with a picture from another server. Its type was detected from its bytes. */
export function answerPicture(app: App, koa: Context, { type, content }: { type: string; content: Readable }): void {
  neverRun(koa);
  // The text of a message has an opaque origin, to which the pictures of this host are cross-origin
  koa.set('Cross-Origin-Resource-Policy', 'cross-origin');
  koa.set('Cache-Control', 'private, max-age=86400');
  koa.set('Content-Disposition', 'inline; filename="picture"');
  koa.body = content;
  limitSending(app, koa, pictureSeconds);
  koa.set('Content-Type', type);
}

/**
 * Answers with an archive that is made while it is sent. When one of its files can't be read, the
 * connection is closed, so that the browser does not take the partial archive for a whole one.
 */
export function answerZip(app: App, koa: Context, { filename, bytes }: ZipOfMessage): void {
  neverRun(koa);
  koa.set('Cross-Origin-Resource-Policy', 'same-origin');
  koa.set('Cache-Control', 'private, no-store');
  koa.set('Content-Disposition', dispositionOf(filename));
  koa.status = 200;
  // A browser sends HEAD before it saves, to check that the path is still valid
  if (koa.method !== 'HEAD') {
    koa.body = Readable.from(bytes, { objectMode: false });
    // The archive holds as much of the memory budget for messages as a file that is sent whole
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
