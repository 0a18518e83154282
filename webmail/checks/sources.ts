import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const src = join(import.meta.dirname, '../src');

export interface Source {
  /** From webmail/src. */
  path: string;
  code: string;
}

/** The modules of the web app, but for tests and the gallery, which are not part of it. */
export function sources(): Source[] {
  return globSync(`${src}/**/*.{ts,tsx}`)
    .map((file) => ({ path: relative(src, file), code: readFileSync(file, 'utf8') }))
    .filter(({ path }) => !/\.test\.tsx?$|^(test|gallery)\//.test(path))
    .toSorted((a, b) => a.path.localeCompare(b.path));
}
