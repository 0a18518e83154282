/**
 * `node die-at-step.ts <sweep> <step>`: runs one slow sweep of the workers, and kills this process
 * right before the given step. A step is a statement to the database, or a file that is removed or
 * renamed. The process writes that step to its output. Exit code 0: the sweep ended before that
 * step.
 */
import { writeSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { loadConfig } from '@selvage/core/process/config';
import { configureLog } from '@selvage/core/log';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import mysql from 'mysql2';
import { slowSweepsOf } from '../../workers/src/sweeps/slow-sweeps.ts';

const [name = '', last = ''] = process.argv.slice(2);
let left = Infinity;

/** Runs before every step. */
function beforeStep(step: string): void {
  left -= 1;
  if (left > 0) return;
  writeSync(1, step);
  process.kill(process.pid, 'SIGKILL');
  // Blocks until the signal arrives, so that nothing more is done
  for (;;);
}

interface Commands {
  addCommand(command: { sql?: string }): unknown;
}

// mysql2 passes every statement of a connection to this method, including those of transactions
const connection = mysql.Connection.prototype as unknown as Commands;
const { addCommand } = connection;
connection.addCommand = function (command) {
  if (command.sql !== undefined) beforeStep(command.sql.replace(/\s+/g, ' ').slice(0, 60));
  return addCommand.call(this, command);
};
for (const work of ['rm', 'unlink', 'rename'] as const) {
  const real = files[work] as (...args: unknown[]) => Promise<void>;
  Object.assign(files, {
    [work]: (...args: unknown[]) => {
      beforeStep(work);
      return real(...args);
    },
  });
}
syncBuiltinESMExports();

const config = loadConfig(process.env);
configureLog({ level: 'warn', process: 'dying' });
const app = await startApp(config, { role: 'workers' });
// Opens a connection and sets up its session before steps are counted
await app.db.query('DO 1');
left = Number(last);
const sweep = slowSweepsOf(app).find((one) => one.name === name);
if (!sweep) throw new Error(`there is no sweep ${name}`);
await sweep.run(new AbortController().signal);
left = Infinity;
await stopApp(app);
