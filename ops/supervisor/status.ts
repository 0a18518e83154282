/**
 * Prints what runs; the exit status is 0 when all is healthy, 1 when something is not, 3 when
 * nothing runs.
 */
import { print } from '../print.ts';
import { readSettings } from './settings.ts';
import { childrenOf, readRunningStack } from './state-file.ts';

const { dataDir } = readSettings();
const stack = readRunningStack(dataDir);
if (!stack) {
  print(`selvage: not running in ${dataDir}`);
  process.exit(3);
}
print(`selvage: ${stack.state} in ${dataDir} (pid ${stack.pid}): ${stack.url}`);
for (const { name, state, pid, restarts, since, detail } of stack.processes) {
  const minutes = Math.floor((Date.now() - since) / 60_000);
  const members = pid === null ? 0 : childrenOf(pid).length;
  const facts = [`for ${minutes} min`, `restarted ${restarts}x`, detail, members > 1 && `${members} processes`];
  print(
    `  ${name.padEnd(15)} ${state.padEnd(9)} ${String(pid ?? '-').padStart(8)}  ${facts.filter(Boolean).join(', ')}`,
  );
}
const healthy = stack.state === 'running' && stack.processes.every(({ state }) => state === 'ready');
process.exit(healthy ? 0 : 1);
