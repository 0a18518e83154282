import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

const root = join(import.meta.dirname, '../..');

/** A process of the host as an operator runs it. */
export interface ProcessOptions {
  /** From the top of the checkout. */
  program: string;
  environment: NodeJS.ProcessEnv;
  /** The file its output is added to. */
  log: string;
  /** Where it answers /ready. */
  health: string;
}

/** Starts a process with nothing of our own environment but the paths; `untilReady` waits for it, and throws when it has ended. */
export function startProcess({ program, environment, log, health }: ProcessOptions): {
  child: ChildProcess;
  untilReady(timeoutMs?: number): Promise<void>;
} {
  const { PATH, HOME } = process.env;
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, [join(root, program)], {
    env: { PATH, HOME, NODE_ENV: 'production', ...environment },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`${program} exited with ${child.exitCode}`);
    return (await fetch(`${health}/ready`)).ok;
  };
  return {
    child,
    untilReady: async (timeoutMs = 80_000) => void (await until(`${program} is ready`, isReady, timeoutMs)),
  };
}
