import { createHash } from 'node:crypto';
import { constants as fileFlags, type Stats } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants as zlib, gzip } from 'node:zlib';
import { log } from '@selvage/core/log';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Files up to this size are cached in memory, also compressed. Larger ones are read each time. */
const keptBytes = 1_048_576;
/** When the cached files together are larger than this, the cache is cleared. */
const allKeptBytes = 33_554_432;
const compressible = /^\.(css|html?|ico|js|json|mjs|svg|txt|webmanifest|xml)$/i;
/** Errors that any path of a stranger may cause. They mean that there is no such file. */
const missing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/** A small file, with its compressed copies if those are smaller. */
interface KeptFile {
  tag: string;
  body: Buffer;
  br: Buffer | null;
  gzip: Buffer | null;
}

/**
 * A file of the public site. For a large file `kept` is null, and its content is read from the open
 * handle.
 */
export interface SiteFile {
  changedAt: Date;
  size: number;
  tag: string;
  kept: KeptFile | null;
  handle: FileHandle | null;
}

/** Reads the files below one folder, and caches small ones until they change. */
export class SiteFiles {
  readonly #kept = new Map<string, { seen: string; file: Promise<KeptFile> }>();
  #bytes = 0;

  /**
   * Opens a file by its path below the folder; null when there is none. Neither `..` nor a symbolic
   * link leads out of the folder.
   * @param root the real path of the folder
   */
  async find(root: string, path: string): Promise<SiteFile | null> {
    let handle: FileHandle | null = null;
    try {
      const real = await realpath(join(root, path));
      if (!real.startsWith(`${root}/`)) return null;
      // Non-blocking, since opening a named pipe would wait forever
      handle = await open(real, fileFlags.O_RDONLY | fileFlags.O_NOFOLLOW | fileFlags.O_NONBLOCK);
      const about = await handle.stat();
      if (!about.isFile()) return null;
      const facts = { changedAt: about.mtime, size: about.size };
      if (about.size > keptBytes) {
        const large = { ...facts, tag: tagOf(versionOf(about)), kept: null, handle };
        handle = null;
        return large;
      }
      const kept = await this.#keep(real, about, handle);
      return { ...facts, tag: kept.tag, kept, handle: null };
    } catch (error) {
      if (!missing.has(String((error as NodeJS.ErrnoException).code))) {
        log.warn('a file of the public site cannot be read', { path, error });
      }
      return null;
    } finally {
      await handle?.close();
    }
  }

  async #keep(real: string, about: Stats, handle: FileHandle): Promise<KeptFile> {
    const seen = versionOf(about);
    const known = this.#kept.get(real);
    if (known?.seen === seen) return await known.file;
    const body = await handle.readFile();
    // Another request may have read the file meanwhile
    const other = this.#kept.get(real);
    if (other?.seen === seen) return await other.file;
    if (this.#bytes > allKeptBytes) {
      this.#kept.clear();
      this.#bytes = 0;
    }
    this.#bytes += body.length;
    const file = withCopies(body, extname(real));
    this.#kept.set(real, { seen, file });
    return await file;
  }
}

function versionOf({ mtimeMs, size, ino }: Stats): string {
  return `${mtimeMs} ${size} ${ino}`;
}

function tagOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

async function withCopies(body: Buffer, extension: string): Promise<KeptFile> {
  const kept = { tag: tagOf(body), body, br: null, gzip: null };
  if (!compressible.test(extension)) return kept;
  const quality = body.length > keptBytes / 8 ? 6 : zlib.BROTLI_MAX_QUALITY;
  const [br, gzipped] = await Promise.all([
    compressBrotli(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: quality } }),
    compressGzip(body, { level: 9 }),
  ]);
  const smaller = (copy: Buffer): Buffer | null => (copy.length < body.length ? copy : null);
  return { ...kept, br: smaller(br), gzip: smaller(gzipped) };
}
