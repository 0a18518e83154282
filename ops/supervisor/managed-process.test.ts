import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ManagedProcess, type ProcessSpec } from './managed-process.ts';

/** A machine that is busy with other tests takes long to start a process. */
const patientMs = 40_000;

const said: string[] = [];
const started: ManagedProcess[] = [];

function launch(script: string, overrides: Partial<ProcessSpec> = {}): ManagedProcess {
  const spec: ProcessSpec = {
    name: 'fixture',
    command: process.execPath,
    args: ['-e', script],
    env: process.env,
    cwd: process.cwd(),
    ready: async () => true,
    startMs: 60_000,
    stopMs: 5_000,
    ...overrides,
  };
  const log = { write: () => undefined, close: () => undefined };
  const child = new ManagedProcess(spec, { log, say: (line) => said.push(line), changed: () => undefined });
  started.push(child);
  child.start();
  return child;
}

afterEach(async () => {
  for (const child of started.splice(0)) await child.stop(100);
  said.length = 0;
});

const STAYS = 'setInterval(() => {}, 1000)';

describe('managed process', () => {
  it('is starting until its probe answers, then ready', async () => {
    let up = false;
    const child = launch(STAYS, { ready: async () => up });
    expect(child.state).toBe('starting');
    up = true;
    await child.untilReady(patientMs);
    expect(child.state).toBe('ready');
  });

  it('starts a process again that was killed, and says so loudly', async () => {
    const child = launch(STAYS);
    await child.untilReady(patientMs);
    const first = child.pid;
    process.kill(first ?? 0, 'SIGKILL');
    await vi.waitFor(() => expect(child.restarts).toBe(1), { timeout: patientMs });
    await child.untilReady(patientMs);
    expect(child.pid).not.toBe(first);
    expect(said[0]).toContain('fixture DIED (signal SIGKILL); starting it again in 250 ms');
  });

  it('tries again when the system refuses to start the process', async () => {
    // More than one argument may have
    const child = launch('1'.repeat(1_000_000));
    expect([child.state, child.pid]).toEqual(['backoff', null]);
    child.spec.args = ['-e', STAYS];
    await child.untilReady(patientMs);
    expect(said[0]).toBe('!! fixture DIED (spawn E2BIG); starting it again in 250 ms');
  });

  it('tries again when no file can be opened for what the process prints', () => {
    const file = join(import.meta.dirname, 'managed-process.ts');
    const script = `
      import { closeSync, openSync } from 'node:fs';
      import { ManagedProcess } from '${file}';
      const opened = [];
      try {
        for (;;) opened.push(openSync('/dev/null'));
      } catch {}
      const log = { write() {}, close() {} };
      const spec = { name: 'fixture', command: 'sleep', args: ['600'], env: process.env, cwd: '/', stopMs: 5000 };
      const child = new ManagedProcess({ ...spec, ready: async () => true }, { log, say() {}, changed() {} });
      child.start();
      opened.forEach((one) => closeSync(one));
      await child.untilReady(${patientMs});
      await child.stop();
      console.log(child.restarts);`;
    const node = [process.execPath, '--input-type=module', '-e', script];
    // Prints how often the process could not be started
    expect(execFileSync('sh', ['-c', 'ulimit -n 256; exec "$@"', 'sh', ...node], { encoding: 'utf8' })).toBe('1\n');
  });

  it('gives up waiting for a process that dies again and again', async () => {
    const child = launch('process.exit(3)', { ready: async () => false });
    await expect(child.untilReady(patientMs)).rejects.toThrow('does not stay up');
  });

  describe('of which the start takes long', () => {
    /** Lets an hour pass for the code under test, which goes on with its real probes. */
    const passHour = () => vi.advanceTimersByTime(3_600_000);
    beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
    afterEach(() => vi.useRealTimers());

    it('is waited for as long as it may take, and the operator is told every ten seconds', async () => {
      let up = false;
      const startMs = Number.POSITIVE_INFINITY;
      const child = launch(STAYS, { ready: async () => up, startMs, startNote: 'it recovers' });
      const isUp = child.untilUp();
      passHour();
      expect(said).toHaveLength(360);
      expect(said.at(0)).toBe('fixture has been starting for 10 s: it recovers');
      expect(said.at(-1)).toBe('fixture has been starting for 3600 s: it recovers');
      up = true;
      await isUp;
      expect(child.state).toBe('ready');
      passHour();
      expect(said).toHaveLength(360);
    });

    it('is given up when it takes longer than it may', async () => {
      const isUp = launch(STAYS, { ready: async () => false }).untilUp();
      passHour();
      await expect(isUp).rejects.toThrow('fixture is not ready after 60 s');
    });

    it('is given up at once when it dies again and again, however long it may take', async () => {
      const child = launch('process.exit(3)', { ready: async () => false, startMs: Number.POSITIVE_INFINITY });
      await expect(child.untilUp()).rejects.toThrow('does not stay up');
    });
  });

  it('does not start a process again that it was asked to stop', async () => {
    const child = launch(STAYS);
    await child.untilReady(patientMs);
    await child.stop();
    expect([child.state, child.pid, child.restarts]).toEqual(['stopped', null, 0]);
  });

  it('stops a process that waits for its next start', async () => {
    const child = launch('process.exit(1)', { ready: async () => false });
    await vi.waitFor(() => expect(child.state).toBe('backoff'), { timeout: patientMs });
    await child.stop();
    expect(child.state).toBe('stopped');
  });

  it('kills a process that ignores SIGTERM', async () => {
    const deaf = `process.on('SIGTERM', () => {}); console.log('deaf'); ${STAYS}`;
    let listening = false;
    const child = launch(deaf, { ready: async () => listening });
    const stdout = (child as unknown as { child: { stdout: NodeJS.ReadableStream } }).child.stdout;
    stdout.once('data', () => {
      listening = true;
    });
    await child.untilReady(patientMs);
    await child.stop(50);
    expect(child.state).toBe('stopped');
    expect(said.at(-1)).toContain('killed');
  });
});
