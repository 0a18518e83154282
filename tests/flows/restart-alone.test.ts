import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { changeRows } from '@selvage/core/database/run-sql';
import { readHostState, readProcesses, writeRestart } from '@selvage/core/environment/host-state';
import { beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../support/free-ports.ts';
import { startProcess } from '../support/start-process.ts';
import { startTestApp, testEnvironment } from '../support/test-app.ts';
import { until } from '../support/until.ts';

let app: App;
let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  environment = await testEnvironment({ PROCESSES_WORKERS: '1', LOG_LEVEL: 'info', SWEEP_SECONDS: '1' });
  app = await startTestApp({ ...environment, LOG_LEVEL: 'error' });
});

/** Starts workers that no primary replaces, and waits until they are in the list. */
async function startWorkers(name: string, port: number): Promise<ChildProcess> {
  const { child, untilReady } = startProcess({
    program: 'workers/src/main.ts',
    environment: { ...environment, WORKERS_HEALTH_PORT: String(port) },
    log: logOf(name),
    health: `http://127.0.0.1:${port}/health`,
  });
  await untilReady();
  // Others may leave the list at the same time
  const isListed = async () => (await readProcesses({ app })).some(({ pid }) => pid === child.pid);
  await until(`${name} is in the list`, isListed);
  return child;
}

const logOf = (name: string): string => join(app.config.dataDir, `${name}.log`);

/** When a process wrote a line. */
function momentOf(name: string, message: string): number {
  const lines = readFileSync(logOf(name), 'utf8').trimEnd().split('\n');
  const line = lines
    .map((text) => JSON.parse(text) as { msg: string; time: string })
    .find(({ msg }) => msg === message);
  return Date.parse(line?.time ?? '');
}

describe('programs that run by themselves', () => {
  it('end one at a time, whatever restart each was started after', async () => {
    const [one, two] = (await freePorts(2)) as [number, number];
    const first = await startWorkers('first', one);
    // Stands for a restart that is over
    await changeRows({ app }, 'UPDATE host_state SET restart = 1 WHERE id = 1', []);
    const second = await startWorkers('second', two);
    expect((await readProcesses({ app })).map(({ restart }) => restart)).toEqual([0, 1]);
    const [firstEnded, secondEnded] = [once(first, 'exit'), once(second, 'exit')];
    await writeRestart({ app }, { askedBy: null, expected: { workers: 2 } });
    expect(await firstEnded).toEqual([0, null]);
    const third = await startWorkers('third', one);
    expect(await secondEnded).toEqual([0, null]);
    expect(momentOf('second', 'ending to be started again')).toBeGreaterThan(momentOf('third', 'workers ready'));
    const fourth = await startWorkers('fourth', two);
    await until('the restart is done', async () => (await readHostState({ app })).finishedAt !== null);
    expect((await readProcesses({ app })).map(({ restart }) => restart)).toEqual([2, 2]);
    for (const child of [third, fourth]) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
  });
});
