import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, Middleware } from 'koa';
import send from 'koa-send';

const yearMs = 31_536_000_000;
/** Paths that are never pages of the web app. */
const reserved = /^\/(api|upload|socket\.io|health|metrics)(\/|$)/;
/**
 * Scripts and styles, each named by a hash of its content. A file of an older build is answered
 * with 404, never with a page.
 */
const hashed = '/assets/';

/**
 * Whether the answer to a path may be a page of the web app, and not the API, a script or an
 * upload.
 */
export function isPagePath(path: string): boolean {
  return !reserved.test(path) && !path.startsWith(hashed);
}

/**
 * Serves the built web app. Browsers cache hashed assets for a year and revalidate everything else.
 * Any other path gets the index page, and the app shows what belongs to that path.
 */
export function serveWebmail(root: string): Middleware {
  return async (koa, next) => {
    if (!['GET', 'HEAD'].includes(koa.method) || reserved.test(koa.path)) return await next();
    if (await sendFile(koa, root, koa.path)) return;
    if (koa.path.startsWith(hashed) || !isNavigation(koa)) return await next();
    if (await sendFile(koa, root, '/index.html')) return;
    koa.status = 503;
    koa.type = 'text/plain; charset=utf-8';
    koa.body = 'The web app has not been built yet. Run: npm run build\n';
  };
}

/** True when a browser opens a page. False for a picture or script that does not exist. */
function isNavigation(koa: Context): boolean {
  return koa.accepts('html', 'json') === 'html' && !/\.[a-z0-9]{2,5}$/i.test(koa.path);
}

async function sendFile(koa: Context, root: string, path: string): Promise<boolean> {
  const name = path === '/' ? '/index.html' : path;
  // The build's list of files and the compressed copies are not served under their own names
  if (name.includes('/.') || name.endsWith('.br') || !(await isFile(root, name))) return false;
  const isHashed = name.startsWith(hashed);
  await send(koa, name, {
    root,
    ...(isHashed ? { maxage: yearMs, immutable: true } : {}),
    setHeaders: (response) => {
      if (!isHashed) response.setHeader('Cache-Control', 'no-cache');
    },
  });
  koa.vary('Accept-Encoding');
  return true;
}

/** Whether a folder has a file at a path. */
export async function isFile(root: string, path: string): Promise<boolean> {
  try {
    const full = join(root, decodeURIComponent(path));
    return full.startsWith(root) && (await stat(full)).isFile();
  } catch {
    // The file does not exist, or the path is invalid
    return false;
  }
}
