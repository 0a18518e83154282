import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const top = join(import.meta.dirname, '..');

/** What each feature has of its own, always by the same name. */
const conventional = /^(?:routes|pages|hosts|queries|presenter|policy|rate-limits|main|index|removal-dialogs)\.tsx?$/;
/**
 * Folders that hold one part of many things: their contracts, jobs, tables, texts, or the sections
 * of the gallery. A file there has the name of what it is a part of.
 */
const layers = new RegExp(
  `^(?:${[
    'core/src/(?:contracts|jobs|models)',
    'webmail/src/(?:words|gallery/sections)',
    'tests/(?:bench|flows|browser)',
  ].join('|')})/`,
);

/** The sources of a package, without tests. */
function sourcesOf(files: readonly string[], name: string): string[] {
  return files.filter(
    (file) => file.startsWith(`${name}/`) && !layers.test(file) && !conventional.test(basename(file)),
  );
}

/** The names that several files have, with those files. */
function sharedNames(files: readonly string[]): string[][] {
  return [...Map.groupBy(files, (file) => basename(file)).values()].filter((group) => group.length > 1);
}

const all = globSync('{admin-api,core,mta,ops,tests,webmail,workers}/**/*.{ts,tsx}', { cwd: top }).filter(
  (file) => !/node_modules|\/dist\/|\.test\.tsx?$/.test(file),
);

describe('the files of a package', () => {
  it.each(['core', 'admin-api', 'mta', 'workers', 'webmail', 'ops', 'tests'])(
    '%s: a name stands for one thing',
    (name) => {
      const sources = sourcesOf(all, name);
      expect(sources.length).toBeGreaterThan(10);
      expect(sharedNames(sources), 'rename one file of each group after what it does').toEqual([]);
    },
  );

  it('are told when two of them have one name', () => {
    const files = ['mta/src/a/wool.ts', 'mta/src/b/wool.ts', 'mta/src/a/routes.ts', 'mta/src/b/routes.ts'];
    expect(sharedNames(sourcesOf(files, 'mta'))).toEqual([['mta/src/a/wool.ts', 'mta/src/b/wool.ts']]);
  });
});
