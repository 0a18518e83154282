/**
 * Replaces Selvage's processes by new ones, kind by kind. Of a kind with several processes, they
 * are replaced one by one and no peer is refused. A single process ends what it does and is started
 * again, which takes about two seconds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { print, printError } from '../print.ts';
import { readSettings } from './settings.ts';
import { childrenOf, type ProcessReport, readRunningStack } from './state-file.ts';

const KINDS = ['workers', 'mta-inbound', 'mta-submission', 'admin-api'];
/** For each kind: a process drains for 20 s at most, and a new one is ready within 60 s. */
const LIMIT_MS = 600_000;

const { dataDir } = readSettings();

function find(name: string): ProcessReport | undefined {
  return readRunningStack(dataDir)?.processes.find((one) => one.name === name);
}

async function replace(name: string): Promise<void> {
  const { pid } = find(name) ?? { pid: null };
  if (pid === null) throw new Error(`${name} does not run`);
  const old = childrenOf(pid);
  const isOne = old.length === 0;
  process.kill(pid, isOne ? 'SIGTERM' : 'SIGHUP');
  const isDone = () => {
    const now = find(name);
    if (now?.state !== 'ready' || now.pid === null) return false;
    if (isOne) return now.pid !== pid;
    const members = childrenOf(now.pid);
    return members.length === old.length && !members.some((member) => old.includes(member));
  };
  const deadline = Date.now() + LIMIT_MS;
  while (!isDone()) {
    if (Date.now() > deadline) throw new Error(`${name} is not replaced after ${LIMIT_MS / 1000} s; see ./ops/logs`);
    await pause(100);
  }
  print(`selvage: ${name} ${isOne ? 'was started again' : `runs in ${old.length} new processes`}`);
}

if (!readRunningStack(dataDir)) {
  printError(`selvage: not running in ${dataDir}`);
  process.exit(3);
}
try {
  for (const name of KINDS) await replace(name);
} catch (error) {
  printError(`selvage: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}
