/**
 * Measures what a browser fetches before the screens of a first visit can be shown, from a build of
 * the web app.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The latest build of the web app. */
export const webmailDist = new URL('../../webmail/dist/', import.meta.url).pathname;

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
  css?: string[];
}

type Manifest = Record<string, Chunk>;

interface Screen {
  /**
   * The modules that the screen begins with, each in a file of its own, beside the entry that every
   * screen needs.
   */
  roots: readonly string[];
  /** Limit of JavaScript, compressed with brotli, in KiB. */
  mostKiB: number;
  mostRequests?: number;
}

const shell = 'src/app/shell/Shell.tsx';

/** The screens that people open first, and the limits of each. */
export const screens = {
  login: { roots: ['src/features/auth/SignInPage.tsx'], mostKiB: 120, mostRequests: 15 },
  'mail list': { roots: [shell, 'src/features/mail/FolderPage.tsx'], mostKiB: 150 },
  reading: { roots: [shell, 'src/features/mail/DetailPage.tsx'], mostKiB: 165 },
} as const satisfies Record<string, Screen>;

/** What one screen fetches. */
export interface Visit {
  /** The scripts, the largest first, with their compressed size. */
  scripts: { file: string; bytes: number }[];
  kiB: number;
  /** Requests for scripts, styles, the page and its icon, without calls to the API. */
  requests: number;
  /** The modules inside the scripts, by their paths from the top of the checkout. */
  modules: string[];
}

/**
 * Measures what must arrive before a screen can be shown.
 * @throws when the build has no file that begins with one of the modules
 */
export function measureVisit(roots: readonly string[], dist = webmailDist): Visit {
  const manifest = readJson<Manifest>(dist, '.vite/manifest.json');
  const modulesOf = readJson<Record<string, string[]>>(dist, '.vite/modules.json');
  const chunks = closureOf(manifest, [...entriesOf(manifest), ...roots]);
  const scripts = chunks
    .map(({ file }) => ({ file, bytes: statSync(join(dist, `${file}.br`)).size }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const styles = new Set(chunks.flatMap(({ css = [] }) => css));
  return {
    scripts,
    kiB: scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1024,
    requests: scripts.length + styles.size + 2,
    modules: scripts.flatMap(({ file }) => modulesOf[file] ?? []),
  };
}

/**
 * The files that the page and its scripts ask for and the build does not have. A part of the app
 * whose style sheet is missing cannot be opened.
 */
export function missingFiles(dist = webmailDist): string[] {
  const asking = globSync(['index.html', 'assets/*.js'], { cwd: dist });
  const named = asking.flatMap((file) => readFileSync(join(dist, file), 'utf8').match(/\bassets\/[\w.-]+\.\w+/g) ?? []);
  return [...new Set(named)].filter((file) => !existsSync(join(dist, file))).toSorted();
}

function readJson<T>(dist: string, name: string): T {
  try {
    return JSON.parse(readFileSync(join(dist, name), 'utf8')) as T;
  } catch (cause) {
    throw new Error('the web app is not built: npm run build', { cause });
  }
}

function entriesOf(manifest: Manifest): string[] {
  return Object.keys(manifest).filter((name) => manifest[name]?.isEntry);
}

/** The files of some modules and all that they import statically. */
function closureOf(manifest: Manifest, roots: string[]): Chunk[] {
  const found = new Map<string, Chunk>();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`the build has no file of its own for ${name}`);
    if (found.has(name)) continue;
    found.set(name, chunk);
    open.push(...(chunk.imports ?? []));
  }
  return [...found.values()];
}
