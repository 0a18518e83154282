import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEachTest, describeAtFailure } from './around-tests.ts';
import { compileCache } from './compile-cache.ts';
import { type Lifetime, ofFile } from './end-of-file.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '../..');
/** All processes that are running now. */
const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

// Vitest may end this process before its tests have ended
process.once('exit', killAll);
process.once('SIGTERM', () => {
  killAll();
  process.kill(process.pid, 'SIGTERM');
});

/** The log of each running process, with the log's length when the test began. */
const logs = new Map<string, number>();

beforeEachTest(() => {
  for (const path of logs.keys()) logs.set(path, readFileSync(path).length);
});

describeAtFailure(() => {
  for (const [path, start] of logs) {
    console.log(`${basename(path)} during this test:\n${endOf(path, start) || 'nothing'}`);
  }
});

/** The last lines of a log, but none from before `start`. */
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
  /** The URL of its health server, which answers /ready. */
  health: string;
  /** The test must end the process before this lifetime ends. */
  lifetime?: Lifetime;
}

/**
 * Starts a process with this environment and this process's PATH and HOME. `untilReady` waits until
 * it is ready, and throws when it has ended.
 */
export function startProcess({ program, environment, log, health, lifetime = ofFile }: ProcessOptions): {
  child: ChildProcess;
  untilReady(timeoutMs?: number): Promise<void>;
} {
  const { PATH, HOME } = process.env;
  const output = openSync(log, 'a');
  if (!logs.has(log)) logs.set(log, 0);
  const child = spawn(process.execPath, [join(root, program)], {
    env: { PATH, HOME, NODE_ENV: 'production', NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  running.add(child);
  child.once('exit', () => running.delete(child));
  lifetime.checkAtEnd(async () => {
    logs.delete(log);
    if (child.killed || hasEnded(child)) return;
    // Otherwise it would run forever
    child.kill('SIGKILL');
    throw new Error(`left running: ${program}`);
  });
  const isReady = async () => {
    if (hasEnded(child)) return true;
    return (await fetch(`${health}/ready`)).ok;
  };
  return {
    child,
    untilReady: async (timeoutMs = 180_000) => {
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
