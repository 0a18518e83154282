import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDataDir } from './claim.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'selvage-claim-'));
});

afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

describe('claimDataDir', () => {
  it('gives a data directory to one of two processes that ask at the same moment, by whatever path', async () => {
    const other = `${dataDir}-link`;
    symlinkSync(dataDir, other);
    const answers = await Promise.all([claimDataDir(dataDir), claimDataDir(other)]);
    rmSync(other);
    expect(answers.toSorted()).toEqual([false, true]);
  });

  it('keeps two data directories apart', async () => {
    const other = join(dataDir, 'other');
    mkdirSync(other);
    expect(await claimDataDir(dataDir)).toBe(true);
    expect(await claimDataDir(other)).toBe(true);
  });

  it('gives it to the next process after the holder was killed', async () => {
    const program = `import { claimDataDir } from ${JSON.stringify(join(import.meta.dirname, 'claim.ts'))};
      console.log(await claimDataDir(${JSON.stringify(dataDir)})); setInterval(() => undefined, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(holder.stdout, 'data')) as [Buffer];
    expect(said.toString().trim()).toBe('true');
    expect(await claimDataDir(dataDir)).toBe(false);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await claimDataDir(dataDir)).toBe(true);
  });
});
