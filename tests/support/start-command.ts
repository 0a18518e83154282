import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { compileCache } from './compile-cache.ts';

const root = join(import.meta.dirname, '../..');

/** A running command of the operator. */
export interface RunningCommand {
  child: ChildProcess;
  /** What the command has printed so far. */
  output(): string;
  /** The command's exit code (null after a signal) and all that it printed. */
  ended: Promise<{ code: number | null; output: string }>;
}

/** Starts a command of `ops` with this environment and this process's PATH and HOME. */
export function startCommand(program: string, args: readonly string[], environment: NodeJS.ProcessEnv): RunningCommand {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(root, program), ...args], {
    env: { PATH, HOME, NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      output += bytes.toString();
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
  return { child, output: () => output, ended };
}

/** Runs a command of `ops` to its end. */
export function runCommand(program: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
  return startCommand(program, args, environment).ended;
}
