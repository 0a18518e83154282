import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The order that `npm run check` enforces, as ops/check-imports.ts has it: the lowest first. */
const enforced = [
  ...(/const order = \[([^\]]*)\]/.exec(read('ops/check-imports.ts'))?.[1] ?? '').matchAll(/'([^']+)'/g),
].map(([, place = '']) => place);

/** The places in core/src that the tree of ARCHITECTURE.md names, in its order. */
const told = [...read('ARCHITECTURE.md').matchAll(/^ {2}src\/(\S+?)\/? {2,}\S/gm)].map(([, place = '']) => place);

/** Files at the top below the first folder stand on one line. */
const atTheTop = '*.ts';
const isFile = (place: string): boolean => place.endsWith('.ts');

describe('the tree of ARCHITECTURE.md', () => {
  it('names the folders of core in the order in which they may import each other', () => {
    const [contracts, ...others] = enforced;
    const firstFolder = others.findIndex((place) => !isFile(place));
    const expected = [contracts, atTheTop, ...others.slice(firstFolder)];
    expect(expected.length).toBeGreaterThan(25);
    expect(told).toEqual(expected);
  });

  it('and the order name all that is in core, and nothing else', () => {
    const places = globSync('*', { cwd: join(root, 'core/src') }).filter((place) => !place.endsWith('.test.ts'));
    expect(enforced.toSorted()).toEqual(places.toSorted());
  });
});
