import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDataDir } from '../engines/data-dir.ts';
import { print, printError } from '../print.ts';

/**
 * Starts the supervisor in a session of its own and shows its progress until the stack is up.
 * @returns the exit status of this command
 */
export function startDetached(dataDir: string): Promise<number> {
  makeDataDir(dataDir);
  const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
  // This command has compiled the supervisor's modules. Writing the cache now spares the supervisor
  // the compiler
  flushCompileCache();
  // The supervisor inherits no file of the terminal, so that a program that reads this command's
  // output sees its end
  const errors = openSync(join(dataDir, 'log', 'supervisor.log'), 'a', 0o640);
  const child = spawn(process.execPath, [entry], { detached: true, stdio: ['ignore', errors, errors, 'ipc'] });
  const giveUp = () => child.kill('SIGTERM');
  process.on('SIGINT', giveUp);
  process.on('SIGTERM', giveUp);
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (typeof message === 'string') print(message);
      else resolve(0);
    });
    child.once('error', (error) => {
      printError(`selvage: ${error.message}`);
      resolve(1);
    });
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
