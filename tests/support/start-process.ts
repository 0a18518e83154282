import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeEach } from 'vitest';
import { until } from './until.ts';

const root = join(import.meta.dirname, '../..');
/**
 * As in the supervisor, Node keeps what it compiled for the next start, also of other test files.
 */
const compiled = join(root, 'node_modules/.cache/selvage-tests');

const children: { program: string; child: ChildProcess }[] = [];

// After the hooks of those that start processes: whatever still runs would run for ever
afterAll(() => {
  const left = children.splice(0).filter(({ child }) => !child.killed && child.exitCode === null && !child.signalCode);
  for (const { child } of left) child.kill('SIGKILL');
  if (left.length > 0) throw new Error(`left running: ${left.map(({ program }) => program).join(', ')}`);
});

/** Each log of this test file, and how long it was when the test began. */
const logs = new Map<string, number>();

beforeEach(() => {
  for (const path of logs.keys()) logs.set(path, readFileSync(path).length);
});

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return;
  for (const [path, start] of logs) {
    console.log(`${basename(path)} during this test:\n${endOf(path, start) || 'nothing'}`);
  }
});

/** The last lines of a log, none of them from before `start`. */
function endOf(path: string, start = 0): string {
  const lines = readFileSync(path).subarray(start).toString().trimEnd().split('\n');
  return lines.slice(-60).join('\n');
}

/** A process of the host as an operator runs it. */
export interface ProcessOptions {
  /** The path from the top of the checkout. */
  program: string;
  environment: NodeJS.ProcessEnv;
  /** The file to which its output is appended. */
  log: string;
  /** Where it answers /ready. */
  health: string;
}

/**
 * Starts a process with only the paths of this environment. `untilReady` waits for it, and throws
 * when it has ended.
 */
export function startProcess({ program, environment, log, health }: ProcessOptions): {
  child: ChildProcess;
  untilReady(timeoutMs?: number): Promise<void>;
} {
  const { PATH, HOME } = process.env;
  const output = openSync(log, 'a');
  if (!logs.has(log)) logs.set(log, 0);
  const child = spawn(process.execPath, [join(root, program)], {
    env: { PATH, HOME, NODE_ENV: 'production', NODE_COMPILE_CACHE: compiled, ...environment },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  children.push({ program, child });
  const isReady = async () => {
    if (hasEnded(child)) return true;
    return (await fetch(`${health}/ready`)).ok;
  };
  return {
    child,
    untilReady: async (timeoutMs = 80_000) => {
      const output = () => `${program} is ready; its output:\n${endOf(log)}`;
      await until(output, isReady, timeoutMs);
      const how = child.exitCode ?? child.signalCode;
      if (hasEnded(child)) throw new Error(`${program} ended with ${how}:\n${endOf(log)}`);
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
