/**
 * `node ops/check-imports.ts`: checks that the folders of core import one way. Prints each import
 * that goes the other way, types included, and ends with status 1 if there is one. Between
 * packages, oxlint checks the direction (.oxlintrc.json).
 */
import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { print } from './print.ts';

/**
 * The folders and files of core/src, the lowest first. A file imports from its own line and from
 * the lines above it.
 */
const order = [
  'contracts',
  'errors.ts',
  'log.ts',
  'metrics.ts',
  'with-deadline.ts',
  'pause.ts',
  'utc-day.ts',
  'time-zone.ts',
  'parse-kept.ts',
  'is-running.ts',
  'temporary-files.ts',
  'assert-library.ts',
  'keyed-lock.ts',
  'batched-writes.ts',
  'recent-cache.ts',
  'fair-line.ts',
  'fair-queue.ts',
  'memory-budget.ts',
  'read-disk.ts',
  'share-bytes.ts',
  'mail',
  'search-index',
  'dns',
  'secrets',
  'models',
  'process',
  'cluster',
  'database',
  'operator-error.ts',
  'context',
  'environment',
  'sweeps',
  'access',
  'ledger',
  'trace',
  'jobs',
  'mailstore',
  'content',
  'search',
  'directory',
  'outbound',
  'domain-check',
  'domain-guard',
  'backup',
  'company-archive',
  'monitoring',
  'startup',
];

const root = join(import.meta.dirname, '../core/src');
/** `from './x.ts'`, `import './x.ts'`, `import('./x.ts')` */
const specifier = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

function levelOf(file: string): number {
  const [place = ''] = file.split('/');
  const level = order.indexOf(place);
  if (level < 0) throw new Error(`core/src/${place} has no place in the order of ops/check-imports.ts`);
  return level;
}

/** The imports of a file that lead to a place later in the order. */
function upwardImports(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const imported = [...source.matchAll(specifier)].map((match) => join(dirname(file), match[1] ?? ''));
  return imported.filter((target) => levelOf(target) > levelOf(file));
}

let problems = 0;
for await (const path of glob(join(root, '**/*.ts'), { exclude: ['**/*.test.ts', '**/test-*.ts'] })) {
  const file = relative(root, path);
  for (const target of upwardImports(file)) {
    print(`core/src/${file} imports ${target}, but ${file.split('/')[0]} stands below ${target.split('/')[0]}`);
    problems += 1;
  }
}
process.exit(problems === 0 ? 0 : 1);
