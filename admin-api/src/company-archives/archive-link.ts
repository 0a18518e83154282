import { createHmac, timingSafeEqual } from 'node:crypto';
import { notFound } from '@selvage/core/errors';
import type { App } from '@selvage/core/context/app';

/*
 * A path that gives access to one archive for one person, without an Authorization header: a
 * browser that saves a file sends none, and neither does curl.
 *
 * Token: `<archive>.<person>.<version>.<expiry, seconds>.<mac>`
 */

/** The content of a link. */
export interface ArchiveLink {
  archiveId: string;
  userId: string;
  /**
   * The person's version when the link was made. Whatever invalidates their tokens invalidates the
   * link as well.
   */
  tokenVersion: number;
}

/** A link that a client has sent back. Its MAC identifies it. */
export interface OpenedLink extends ArchiveLink {
  mac: string;
}

/** Makes the path of an archive. */
export function signArchiveLink(app: App, { archiveId, userId, tokenVersion }: ArchiveLink, expiresAt: Date): string {
  const content = `${archiveId}.${userId}.${tokenVersion}.${Math.floor(expiresAt.getTime() / 1000)}`;
  return `/upload/archive/${content}.${mac(app, content)}`;
}

/** @throws 404 for a token that is forged or has expired */
export function readArchiveLink(app: App, token: string, now = Date.now()): OpenedLink {
  const end = token.lastIndexOf('.');
  const content = token.slice(0, Math.max(end, 0));
  const [given, right] = [Buffer.from(token.slice(end + 1)), Buffer.from(mac(app, content))];
  const isRight = given.length === right.length && timingSafeEqual(given, right);
  const [archiveId = '', userId = '', tokenVersion = '', expiry = '0'] = content.split('.');
  if (!isRight || Number(expiry) * 1000 < now) {
    throw notFound('file', 'This link is not valid any more. Ask for the download again.');
  }
  return { archiveId, userId, tokenVersion: Number(tokenVersion), mac: token.slice(end + 1) };
}

function mac(app: App, content: string): string {
  return createHmac('sha256', app.secrets.key('archive-link')).update(content).digest('base64url');
}
