import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const top = join(import.meta.dirname, '..');
const sources = '{admin-api,core,mta,ops,tests,webmail,workers}/**/*.{ts,tsx}';
/** Merged migrations are never changed again. */
const isFrozen = /node_modules|\/dist\/|core\/src\/database\/migrations\//;
const comment = /^\s*(\/\/|\/\*|\*)/;

/** The comment lines of a text that are wider than 100 columns, by their numbers. */
function wideComments(text: string): number[] {
  return text.split('\n').flatMap((line, index) => (comment.test(line) && line.length > 100 ? [index + 1] : []));
}

describe('comments', () => {
  it('are found when they are too wide', () => {
    const wide = 'x'.repeat(98);
    expect(wideComments(`// ${wide}\n * ${wide}\nconst text = '${wide}';\n// short`)).toEqual([1, 2]);
  });

  it('have at most 100 columns', () => {
    const files = globSync(sources, { cwd: top }).filter((file) => !isFrozen.test(file));
    expect(files.length).toBeGreaterThan(500);
    const wide = files.flatMap((file) =>
      wideComments(readFileSync(join(top, file), 'utf8')).map((line) => `${file}:${line}`),
    );
    expect(wide).toEqual([]);
  });
});
