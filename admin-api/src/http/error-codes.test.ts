import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sessionOverCodes } from '@selvage/core/contracts/auth';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const patterns = [
  /\b(?:unauthorized|forbidden|conflict|badRequest|tooLarge)\(\s*(?:'[^']*'|`[^`]*`),\s*'([a-z_]+)'/g,
  /\bcode: '([a-z_]+)',\s*(?:status|publicText|text|field)/g,
  /\bstatus: [\w.]+,\s*code: '([a-z_]+)'/g,
];

describe('ops/docs/ERROR-CODES.md', () => {
  it('lists every code that the sources can answer with', async () => {
    const document = await readFile(join(root, 'ops/docs/ERROR-CODES.md'), 'utf8');
    const missing = new Set<string>(sessionOverCodes.filter((code) => !document.includes(`\`${code}\``)));
    for await (const path of glob('{core,admin-api}/src/**/*.ts', { cwd: root })) {
      const source = await readFile(join(root, path), 'utf8');
      for (const [, code = ''] of patterns.flatMap((pattern) => [...source.matchAll(pattern)])) {
        if (!document.includes(`\`${code}\``)) missing.add(`${code} (${path})`);
      }
    }
    expect([...missing]).toEqual([]);
  });

  it('says `forbidden` for one reason only: a permission that is missing', async () => {
    const thrown: string[] = [];
    for await (const path of glob('{core,admin-api}/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })) {
      const source = await readFile(join(root, path), 'utf8');
      thrown.push(...(source.match(/.*\bforbidden\([^,()]*\)/g) ?? []).map((line) => line.trim()));
    }
    expect(thrown).toEqual(['return forbidden(publicText)']);
  });
});
