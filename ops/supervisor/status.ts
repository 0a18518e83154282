/** `./ops/status`: prints what runs; that script has the details. */
import { parseArgs } from 'node:util';
import { print } from '../print.ts';
import { runCommand } from '../run-command.ts';
import { dataDirOf } from './settings.ts';
import { type ProcessReport, readRunningStack, redisIsAway, startTicks } from './state-file.ts';

/** The supervisor writes a new state at once, unless it can't write. */
const oldState = 'is there room on the disk? See ./ops/logs supervisor';

// A supervisor of an older version gives no `pids`
function lineOf({ name, state, pids = [], restarts, since, detail }: ProcessReport): string {
  const minutes = Math.floor((Date.now() - since) / 60_000);
  const facts = [`for ${minutes} min`, `restarted ${restarts}x`, detail, pids.length > 1 && `${pids.length} processes`];
  const numbers = pids.length > 0 ? pids.join(' ') : '-';
  return `  ${name.padEnd(15)} ${state.padEnd(9)} ${numbers.padStart(8)}  ${facts.filter(Boolean).join(', ')}`;
}

function showStatus(): number {
  parseArgs();
  const dataDir = dataDirOf();
  const stack = readRunningStack(dataDir);
  if (!stack) {
    print(`selvage: not running in ${dataDir}`);
    return 3;
  }
  print(`selvage: ${stack.state} in ${dataDir} (pid ${stack.pid}): ${stack.url}`);
  for (const one of stack.processes) print(lineOf(one));
  if (stack.restart?.state === 'running') print('  processes are being replaced by new ones');
  const ended = stack.processes.filter(({ pids = [] }) => pids.some((pid) => startTicks(pid) === null));
  if (ended.length > 0) {
    const names = ended.map(({ name }) => name).join(', ');
    print(`  !! this is an old state, since a process of ${names} has ended: ${oldState}`);
  }
  if (stack.isRedisAway) print(`  !! ${redisIsAway}`);
  const isHealthy = stack.state === 'running' && stack.processes.every(({ state }) => state === 'ready');
  return isHealthy && ended.length === 0 && !stack.isRedisAway ? 0 : 1;
}

await runCommand('status', async () => showStatus());
