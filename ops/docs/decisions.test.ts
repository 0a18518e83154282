import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const decisions = readFileSync(join(root, 'ops/docs/DECISIONS.md'), 'utf8');
const explained = [...decisions.matchAll(/^### (D\d+) /gm)].map((match) => match[1] ?? '');

/** Each number that a source or a document cites, with a file that cites it. */
async function citedDecisions(): Promise<Map<string, string>> {
  const cited = new Map<string, string>();
  const exclude = ['**/node_modules/**', '**/dist/**', 'var/**'];
  for await (const file of glob('**/*.{ts,tsx,md,yml,ini}', { cwd: root, exclude })) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [number] of text.matchAll(/\bD[1-9]\d?\b/g)) cited.set(number, file);
  }
  return cited;
}

describe('the decisions', () => {
  it('explain every number that is cited anywhere, once', async () => {
    const cited = await citedDecisions();
    expect(cited.size).toBeGreaterThan(20);
    expect([...cited].filter(([number]) => !explained.includes(number))).toEqual([]);
    expect(explained.filter((number, index) => explained.indexOf(number) !== index)).toEqual([]);
  });

  it.each(['ops/docs/DECISIONS.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'])(
    'name only files that exist in %s',
    (document) => {
      const text = readFileSync(join(root, document), 'utf8');
      const files = [
        ...text.matchAll(/\b(?:core|admin-api|mta|workers|webmail|ops|tests)\/[\w./-]*\w\.(?:ts|tsx|md)\b/g),
      ];
      expect(files.map(([file]) => file).filter((file) => !existsSync(join(root, file)))).toEqual([]);
    },
  );
});
