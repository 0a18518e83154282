/** Asks the supervisor to drain and stop everything, and waits until it has. */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { print, printError } from '../print.ts';
import { runCommand } from '../run-command.ts';
import { dataDirOf } from './settings.ts';
import { readRunningStack, startTicks } from './state-file.ts';

/** Longer than the sum of the supervisor's own limits for all tiers. */
const limitMs = 120_000;

async function stop(): Promise<number> {
  parseArgs();
  const dataDir = dataDirOf();
  const stack = readRunningStack(dataDir);
  if (!stack) {
    print(`selvage: not running in ${dataDir}`);
    return 0;
  }
  print(`selvage: stopping (pid ${stack.pid})`);
  process.kill(stack.pid, 'SIGTERM');
  const deadline = performance.now() + limitMs;
  // Waits until the process itself is gone, so that the next start may follow at once
  while (startTicks(stack.pid) === stack.startedAtTicks) {
    if (performance.now() > deadline) {
      printError(
        `selvage: pid ${stack.pid} has not stopped after ${limitMs / 1000} s; see ${dataDir}/log/supervisor.log`,
      );
      return 1;
    }
    await pause(100);
  }
  print('selvage: stopped');
  return 0;
}

await runCommand('down', stop);
