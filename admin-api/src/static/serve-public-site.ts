import type { Config } from '@selvage/core/process/config';
import type { Context, Middleware } from 'koa';
import { beginPart } from '../http/byte-range.ts';
import { isFile, isPagePath } from './serve-webmail.ts';
import { type SiteFile, SiteFiles } from './site-files.ts';
import { watchSiteFolder } from './site-folder.ts';

/**
 * First names of paths that belong to the web app and to other servers of this host, even if the
 * folder of the site has files with these names.
 */
const taken = new Set(['auth', 'dashboard', 'internal', 'r', 'required_data', 'start']);

/**
 * For how many seconds a browser may use a style sheet, a script or a picture without asking again.
 */
const keptSeconds = 300;

/**
 * The content policy: pages of the site load nothing from other hosts, run no inline script and
 * make no requests by script.
 */
export const sitePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "media-src 'self'",
  "manifest-src 'self'",
  "connect-src 'none'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A file to answer with, or the address to redirect to. */
type Found = { name: string; file: SiteFile } | { leadsTo: string };

/**
 * Serves the public site (D57): the files of one folder under their own names, and pages also
 * without `.html`. The web app's own files and paths come first. Paths that the folder does not
 * have are left to the web app.
 * @param webRoot folder of the built web app
 */
export function servePublicSite(own: NonNullable<Config['publicSite']>, webRoot: string): Middleware {
  const folder = watchSiteFolder(own);
  const files = new SiteFiles();
  return async (koa, next) => {
    const names = ['GET', 'HEAD'].includes(koa.method) ? namesIn(koa.path) : null;
    if (names === null || (!isStart(koa.path) && (await isFile(webRoot, koa.path)))) return await next();
    const root = await folder();
    const found = root === null ? null : await find(files, root, names, koa.path.endsWith('/'));
    if (found === null) return await next();
    if ('file' in found) return answer(koa, found.name, found.file);
    koa.redirect(`${found.leadsTo}${koa.search}`);
    koa.set('Cache-Control', 'no-cache');
  };
}

/** `index.html` is the start page both of the site and of the web app. */
function isStart(path: string): boolean {
  return path === '/' || path === '/index.html';
}

/**
 * The names in a path, without its first and last slash. Null for a path that no site has: one with
 * `..`, with a hidden file, or with a name that belongs to the web app.
 */
function namesIn(path: string): string[] | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // No file has an invalid path
    return null;
  }
  if (!isPagePath(decoded) || /[\0\\]/.test(decoded)) return null;
  const names = decoded.replace(/^\//, '').replace(/\/$/, '').split('/');
  if (names.length === 1 && names[0] === '') return [];
  const isOdd = names.some((name) => name === '' || name.startsWith('.'));
  return isOdd || taken.has(names[0] ?? '') ? null : names;
}

/**
 * Finds the file or the redirect for a path. The address of a folder's index page ends in a slash,
 * so that its relative links lead into that folder.
 */
async function find(files: SiteFiles, root: string, names: string[], isFolder: boolean): Promise<Found | null> {
  const path = names.join('/');
  const address = `/${names.map(encodeURIComponent).join('/')}`;
  const exact = async (name: string): Promise<Found | null> => {
    const file = await files.find(root, name);
    return file && { name, file };
  };
  const leading = async (name: string, leadsTo: string): Promise<Found | null> => {
    const file = await files.find(root, name);
    await file?.handle?.close();
    return file && { leadsTo };
  };
  if (names.length === 0) return await exact('index.html');
  if (path === 'index.html') return await leading(path, '/');
  if (isFolder) return (await exact(`${path}/index.html`)) ?? (await leading(`${path}.html`, address));
  const page = (await exact(path)) ?? (await exact(`${path}.html`));
  return page ?? (await leading(`${path}/index.html`, `${address}/`));
}

function answer(koa: Context, name: string, file: SiteFile): void {
  koa.status = 200;
  koa.type = /\.[^./]+$/.exec(name)?.[0] ?? 'application/octet-stream';
  koa.set('Content-Security-Policy', sitePolicy);
  koa.set('Cache-Control', koa.type === 'text/html' ? 'no-cache' : `public, max-age=${keptSeconds}`);
  koa.lastModified = file.changedAt;
  koa.vary('Accept-Encoding');
  const encoding = file.kept && koa.acceptsEncodings('br', 'gzip', 'identity');
  const copy = encoding === 'br' || encoding === 'gzip' ? file.kept?.[encoding] : null;
  koa.etag = copy ? `${file.tag}-${String(encoding)}` : file.tag;
  if (koa.fresh) {
    koa.status = 304;
    void file.handle?.close();
    return;
  }
  if (!copy) return answerPart(koa, file);
  koa.set('Content-Encoding', String(encoding));
  koa.body = copy;
}

/** Answers with a file as it is, or with a part of it. */
function answerPart(koa: Context, { size, tag, kept, handle }: SiteFile): void {
  try {
    const { start, end } = beginPart(koa, size, `"${tag}"`);
    koa.body = kept?.body.subarray(start, end + 1) ?? handle?.createReadStream({ start, end });
    koa.length = end - start + 1;
  } catch (error) {
    void handle?.close();
    throw error;
  }
}
