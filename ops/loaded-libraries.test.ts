import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const top = join(import.meta.dirname, '..');

/** The names of the CommonJS packages that a module loads, with all that it imports. */
function packagesOf(module: string): string[] {
  const script = `
    await import(${JSON.stringify(join(top, module))});
    const paths = Object.keys(process.getBuiltinModule('node:module')._cache);
    const names = paths.map((path) => /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
    console.log(JSON.stringify([...new Set(names)]));
    process.exit();`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '[]') as string[];
}

// Together they take as long to load as a quarter of all else, and up to 27 MB
const seldomUsed = ['umzug', '@rushstack/ts-command-line', '@postalsys/vmc', 'undici', 'fast-xml-parser'];

it.each(['admin-api/src/start-api.ts', 'workers/src/start-workers.ts', 'mta/src/submission/start-submission.ts'])(
  '%s loads no library that it uses seldom or never',
  (module) => {
    const loaded = packagesOf(module);
    expect(loaded).toContain('sequelize');
    expect(loaded.filter((name) => seldomUsed.includes(name))).toEqual([]);
  },
);
