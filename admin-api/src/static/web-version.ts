import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { webVersionHeader, webVersionOf } from '@selvage/core/contracts/web-version';
import type { Middleware } from 'koa';

/**
 * How old a version may be before it is read again: a build may replace the web app while this
 * process serves it.
 */
const rereadMs = 2000;
const firstScript = /<script type="module"[^>]*\ssrc="([^"]+)"/;

/** Returns the version of the web app that a folder has now; null when none was built. */
export type WebVersion = () => string | null;

/**
 * Reads the version at the start. A call that finds it older than two seconds starts reading it
 * again, and later calls return the new one.
 */
export function watchWebVersion(root: string): WebVersion {
  const path = join(root, 'index.html');
  let version = firstVersion(path);
  let readAt = Date.now();
  const take = (html: string | null): void => {
    version = html === null ? null : versionIn(html);
  };
  return () => {
    if (Date.now() - readAt > rereadMs) {
      readAt = Date.now();
      // Without an index page there is no version
      readFile(path, 'utf8').then(take, () => take(null));
    }
    return version;
  };
}

/** Sends the version of the web app in a header of each answer of the API. */
export function tellWebVersion(webVersion: WebVersion): Middleware {
  return async (koa, next) => {
    const version = koa.path.startsWith('/api/') ? webVersion() : null;
    if (version !== null) koa.set(webVersionHeader, version);
    await next();
  };
}

function firstVersion(path: string): string | null {
  try {
    return versionIn(readFileSync(path, 'utf8'));
  } catch {
    // The web app is not built yet. The API works without it
    return null;
  }
}

function versionIn(html: string): string | null {
  return webVersionOf(firstScript.exec(html)?.[1] ?? '');
}
