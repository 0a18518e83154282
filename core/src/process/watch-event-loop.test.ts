import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';

const watch = new URL('./watch-event-loop.ts', import.meta.url).href;

/** Runs a program of one line under the watch, and gives how it ended and what it said. */
async function run(line: string): Promise<{ signal: string | null; code: number | null; said: string }> {
  const program = `import { watchEventLoop } from '${watch}'; watchEventLoop({ process: 'tried', limitSeconds: 2 }); ${line}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { signal: signal as string | null, code: code as number | null, said };
}

// Each of them waits for a watch of its own
describe.concurrent('watchEventLoop', () => {
  it('kills a process whose event loop stands still, and says so', async () => {
    const { signal, said } = await run('for (;;);');
    expect(signal).toBe('SIGKILL');
    expect(JSON.parse(said)).toMatchObject({
      level: 'fatal',
      process: 'tried',
      msg: expect.stringMatching(/STANDS STILL/),
    });
  });

  const waiting = (ms: number) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`;

  it('gives a process that gets no processor time longer', async () => {
    expect(await run(waiting(4000))).toEqual({ signal: null, code: 0, said: '' });
  });

  it('does not give it for ever', async () => {
    expect((await run(waiting(60_000))).signal).toBe('SIGKILL');
  });

  it('leaves a process alone that is busy but turns, and does not keep one alive', async () => {
    const busy =
      'const end = Date.now() + 5000; const work = () => { const stop = Date.now() + 300; while (Date.now() < stop); if (Date.now() < end) setTimeout(work, 0); }; work();';
    expect(await run(busy)).toEqual({ signal: null, code: 0, said: '' });
  });
});
