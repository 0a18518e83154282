import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const src = join(import.meta.dirname, '../src');
const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** The modules that a module brings along, however far. */
function reachedFrom(entry: string, reached = new Set<string>()): Set<string> {
  if (reached.has(entry) || !existsSync(entry)) return reached;
  reached.add(entry);
  for (const [, path = ''] of readFileSync(entry, 'utf8').matchAll(IMPORT)) {
    reachedFrom(join(dirname(entry), path), reached);
  }
  return reached;
}

/** The components of the kit. */
function piecesOfTheKit(): string[] {
  return globSync(join(src, 'components/**/*.tsx')).filter((file) => !file.endsWith('.test.tsx'));
}

describe('the gallery', () => {
  it('shows every piece of the kit', () => {
    const pieces = piecesOfTheKit();
    expect(pieces.length).toBeGreaterThan(40);
    const shown = reachedFrom(join(src, 'gallery/main.tsx'));
    expect(pieces.filter((file) => !shown.has(file)).map((file) => relative(src, file))).toEqual([]);
  });

  it('is reached by nothing of the product', () => {
    const product = [...reachedFrom(join(src, 'main.tsx'))].map((file) => relative(src, file));
    expect(product.length).toBeGreaterThan(200);
    expect(product.filter((file) => file.startsWith('gallery/'))).toEqual([]);
  });
});
