/**
 * Asks the supervisor to replace Selvage's processes by new ones, program by program and one by
 * one, and waits until it has. No peer is refused meanwhile.
 */
import { messageOf } from '@selvage/core/errors';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { print, printError } from '../print.ts';
import { runCommand } from '../run-command.ts';
import { dataDirOf } from './settings.ts';
import { describeUnreadSettings } from './started-settings.ts';
import { readRunningStack, type StackReport } from './state-file.ts';

function readStack(dataDir: string): StackReport {
  const stack = readRunningStack(dataDir);
  if (!stack) throw new Error(`it was stopped meanwhile in ${dataDir}`);
  return stack;
}

/**
 * A supervisor takes a restart up at once. One that can't write its state file, such as on a full
 * disk, does not say so.
 */
const longestBeginMs = 15_000;
const notTakenUp =
  'the supervisor does not say that it restarts: is there room on the disk? ./ops/logs supervisor says what it does';

function describe({ processes }: StackReport, name: string): string {
  const count = processes.find((one) => one.name === name)?.pids.length ?? 0;
  return `selvage: ${name} runs in ${count === 1 ? 'a new process' : `${count} new processes`}`;
}

async function restart(stack: StackReport, dataDir: string): Promise<void> {
  // Waits for a new restart: one that already runs may have begun before the change that the
  // operator wants to take effect
  const number = stack.restart.number + 1;
  process.kill(stack.pid, 'SIGUSR2');
  const told = new Set<string>();
  const begin = performance.now();
  // This loop ends: the supervisor limits how long it waits for each process, and removes its state
  // file at its end
  for (;;) {
    const now = readStack(dataDir);
    const { restart } = now;
    const isBegun = restart.number >= number || restart.state === 'running';
    if (!isBegun && performance.now() - begin > longestBeginMs) throw new Error(notTakenUp);
    const isOver = restart.number > number || (restart.number === number && restart.state !== 'running');
    if (restart.number === number) {
      for (const name of restart.replaced.filter((one) => !told.has(one))) {
        told.add(name);
        print(describe(now, name));
      }
    }
    if (isOver && restart.problem !== null) throw new Error(`${restart.problem}; see ./ops/logs`);
    if (isOver) return;
    await pause(100);
  }
}

async function run(): Promise<number> {
  parseArgs();
  const dataDir = dataDirOf();
  const stack = readRunningStack(dataDir);
  if (!stack) {
    printError(`selvage: not running in ${dataDir}`);
    return 3;
  }
  try {
    if (stack.restart === undefined) throw new Error('started by an older version: ./ops/down, then ./ops/up');
    if (stack.state !== 'running') throw new Error(`it is ${stack.state} in ${dataDir}; try again when it runs`);
    await restart(stack, dataDir);
    const unread = describeUnreadSettings(stack.pid);
    if (unread !== null) print(`selvage: ${unread}`);
    return 0;
  } catch (error) {
    printError(`selvage: ${messageOf(error)}`);
    return 1;
  }
}

await runCommand('restart', run);
