import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import type { App } from '../context/app.ts';
import { type HostProcess, readProcesses, removeProcesses, writeProcess, writeRestart } from './host-state.ts';
import { nextToEnd } from './judge-restart.ts';
import { takePart } from './take-part.ts';

const leaving: (() => Promise<void>)[] = [];

// The process of the tests has no orderly end of its own
vi.mock('../process/shutdown.ts', () => ({
  onShutdown: (_name: string, leave: () => Promise<void>) => leaving.push(leave),
}));

let app: App;

beforeAll(async () => {
  app = await testApp();
});

/** Workers on another machine. */
function workers(restart: number, id: string = randomUUID()): HostProcess {
  return { id, program: 'workers', machine: 'elsewhere', pid: 1, revision: 0, restart, hasPrimary: false };
}

describe('the process that ends next', () => {
  const state = { restart: 3, expected: { workers: 3 } };

  it('is the oldest, also among processes of several restarts', () => {
    const all = [workers(2, 'a'), workers(0, 'c'), workers(0, 'b')];
    expect(nextToEnd(state, 'workers', all)?.id).toBe('b');
    expect(nextToEnd(state, 'workers', [workers(2, 'a'), workers(3, 'b'), workers(3, 'c')])?.id).toBe('a');
  });

  it('is none while one is missing, once all are new, and among those of other programs', () => {
    expect(nextToEnd(state, 'workers', [workers(0), workers(2)])).toBeNull();
    expect(nextToEnd(state, 'workers', [workers(3), workers(3), workers(3)])).toBeNull();
    expect(nextToEnd({ restart: 3, expected: {} }, 'inbound', [workers(0)])).toBeNull();
  });
});

describe('a process that nothing replaces', () => {
  it('ends only after an older one was started again, whatever restart that was started after', async () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    const watched = explaining(app);
    onTestFinished(async () => {
      kill.mockRestore();
      for (const leave of leaving) await leave();
    });
    const older = workers(0);
    await writeProcess({ app }, older);
    await app.db.query('UPDATE host_state SET restart = 1');
    const { config } = app;
    takePart({ ...watched.ctx.app, config: { ...config, source: { ...config.source, restart: 1 } } }, 'workers');
    await expect.poll(() => readProcesses({ app })).toHaveLength(2);
    await writeRestart({ app }, { askedBy: null, expected: { workers: 2 } });
    // It looks again and again, each time at the list of processes
    const before = looks();
    await expect.poll(looks).toBeGreaterThanOrEqual(before + 2);
    const ended = () => kill.mock.calls.some(([pid, signal]) => pid === process.pid && signal === 'SIGTERM');
    expect(ended()).toBe(false);
    await removeProcesses({ app }, [older.id]);
    await writeProcess({ app }, workers(2));
    await expect.poll(ended).toBe(true);

    function looks(): number {
      return watched.plans.flat().filter(({ table }) => table === 'host_processes').length;
    }
  });
});
