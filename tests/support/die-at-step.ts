/**
 * `node die-at-step.ts <sweep> <step>`: takes the due step of one slow sweep of the workers, and
 * kills its own process right before the given one of its steps: a statement to the database, or a
 * file that is removed or renamed. It writes that step to its output. Exit code 0: the sweep came
 * to its end before.
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

/** Every step comes here before it is taken. */
function beforeStep(step: string): void {
  left -= 1;
  if (left > 0) return;
  writeSync(1, step);
  process.kill(process.pid, 'SIGKILL');
  // Nothing more is done before the signal arrives
  for (;;);
}

interface Commands {
  addCommand(command: { sql?: string }): unknown;
}

// mysql2 gives all statements of a connection to this method, those of transactions as well
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
// The session of a connection is prepared before the first step counts
await app.db.query('DO 1');
left = Number(last);
const sweep = slowSweepsOf(app).find((one) => one.name === name);
if (!sweep) throw new Error(`there is no sweep ${name}`);
await sweep.run(new AbortController().signal);
left = Infinity;
await stopApp(app);
