import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const document = readFileSync(join(root, 'ops/docs/ADD-A-SCREEN.md'), 'utf8');
const mills = 'webmail/src/gallery/mills';

function linesOf(code: string): number {
  return code.trimEnd().split('\n').length;
}

describe('how to add a screen', () => {
  it('shows the code of the gallery as it is', () => {
    const shown = [...document.matchAll(/<!-- (\S+) -->\n```tsx?\n([\s\S]*?)```/g)];
    expect(shown.map(([, path]) => path)).toEqual(
      ['contract.ts', 'mill-words.ts', 'MillsPage.tsx', 'mill-dialogs.tsx'].map((file) => `${mills}/${file}`),
    );
    for (const [, path = '', code] of shown) expect(code).toBe(readFileSync(join(root, path), 'utf8'));
  });

  it('counts lines as they are, and fewer than 150 in the webmail', () => {
    const rows = [...document.matchAll(/^\| `webmail\/\S*\/(\S+)` \|.*\| (\d+) \|$/gm)];
    const counted = new Map(
      rows.map(([, file = '', lines]) => [file === 'mills.ts' ? 'mill-words.ts' : file, Number(lines)]),
    );
    const [, page = ''] = /^```ts\n([^`]*millPages[^`]*)```/m.exec(document) ?? [];
    for (const file of ['MillsPage.tsx', 'mill-dialogs.tsx', 'mill-words.ts']) {
      expect([file, counted.get(file)]).toEqual([file, linesOf(readFileSync(join(root, mills, file), 'utf8'))]);
    }
    expect(counted.get('pages.ts')).toBe(linesOf(page));
    expect([...counted.values()].reduce((sum, lines) => sum + lines, 0)).toBeLessThan(150);
  });
});
