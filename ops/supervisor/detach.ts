import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDataDir } from '../engines/data-dir.ts';
import { print, printError } from '../print.ts';

/**
 * Starts the supervisor in a session of its own and shows its progress until it says that all is up.
 * @returns the exit status for the starter
 */
export function startDetached(dataDir: string): Promise<number> {
  makeDataDir(dataDir);
  const entry = fileURLToPath(new URL('./main.ts', import.meta.url));
  // Nothing of the terminal stays open in it, so that whoever started us sees the end of our output.
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
