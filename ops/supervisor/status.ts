/**
 * Prints what runs; the exit status is 0 when all is healthy, 1 when something is not, 3 when
 * nothing runs.
 */
import { print } from '../print.ts';
import { readSettings } from './settings.ts';
import { readRunningStack } from './state-file.ts';

const { dataDir } = readSettings();
const stack = readRunningStack(dataDir);
if (!stack) {
  print(`selvage: not running in ${dataDir}`);
  process.exit(3);
}
print(`selvage: ${stack.state} in ${dataDir} (pid ${stack.pid}): ${stack.url}`);
// A supervisor of an older version gives no `pids`
for (const { name, state, pids = [], restarts, since, detail } of stack.processes) {
  const minutes = Math.floor((Date.now() - since) / 60_000);
  const facts = [`for ${minutes} min`, `restarted ${restarts}x`, detail, pids.length > 1 && `${pids.length} processes`];
  const numbers = pids.length > 0 ? pids.join(' ') : '-';
  print(`  ${name.padEnd(15)} ${state.padEnd(9)} ${numbers.padStart(8)}  ${facts.filter(Boolean).join(', ')}`);
}
if (stack.restart?.state === 'running') print('  processes are being replaced by new ones');
const healthy = stack.state === 'running' && stack.processes.every(({ state }) => state === 'ready');
process.exit(healthy ? 0 : 1);
