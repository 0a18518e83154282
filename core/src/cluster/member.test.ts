import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isAlive } from '../../../tests/support/is-alive.ts';
import { until } from '../../../tests/support/until.ts';

const directory = mkdtempSync(join(tmpdir(), 'member-'));
afterAll(() => rmSync(directory, { recursive: true }));

const url = (path: string) => new URL(path, import.meta.url).href;

function write(name: string, lines: string[]): string {
  const path = join(directory, name);
  writeFileSync(path, lines.join('\n'));
  return path;
}

/** Starts a primary whose member runs these lines, and gives what both have printed so far. */
function startPrimary(lines: string[]) {
  const exec = write('member.mjs', [
    `import { obeyPrimaryAlone } from '${url('./member.ts')}';`,
    `import { log } from '${url('../log.ts')}';`,
    'obeyPrimaryAlone();',
    ...lines,
  ]);
  const primary = write('primary.mjs', [
    `import { MemberProcess } from '${url('./member-process.ts')}';`,
    `const options = { exec: '${exec}', output: (bytes) => process.stdout.write(bytes) };`,
    'const member = new MemberProcess(options, console);',
    "process.stdout.write('member ' + member.pid + '\\n');",
  ]);
  const child = spawn(process.execPath, [primary], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return { child, printed: () => text };
}

describe('a member whose primary is killed', () => {
  it('ends even when it exits before it has heard of that, with lines for the log', async () => {
    const { child, printed } = startPrimary([
      "log.info('holds its event loop');",
      'const [parent, lock] = [process.ppid, new Int32Array(new SharedArrayBuffer(4))];',
      'while (process.ppid === parent) Atomics.wait(lock, 0, 0, 20);',
      "log.info('nobody reads this');",
      'process.exit(1);',
    ]);
    await until('the member runs', () => printed().includes('holds its event loop'));
    const pid = Number(/^member (\d+)$/m.exec(printed())?.[1]);
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGKILL');
    await until('the member has ended', () => !isAlive(pid));
  });
});
