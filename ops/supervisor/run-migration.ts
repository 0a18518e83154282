import { OperatorError } from '@selvage/core/operator-error';
import type { HostAdministrator } from '@selvage/core/startup/seed';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openLogFile } from './log-file.ts';
import { processEnvironment } from './processes.ts';
import type { Settings } from './settings.ts';

export interface MigrateAnswer {
  migrated: number;
  admin: HostAdministrator;
}

/** The exit status of a migration that has failed and has printed the reason on standard error. */
const saidWhy = 2;

/**
 * Migrates the database to this version. The child prints its result as one line of JSON. That line
 * may have a password, so it is never logged. Sentences in its output go to `say` at once.
 * @throws {OperatorError} with the child's own words, when it has printed why it failed
 */
export async function runMigration(settings: Settings, say: (line: string) => void): Promise<MigrateAnswer> {
  const log = openLogFile(join(settings.dataDir, 'log', 'migrate.log'));
  const args = ['core/src/startup/main-migrate.ts'];
  const env = processEnvironment(settings);
  const child = spawn(process.execPath, args, {
    cwd: settings.root,
    env,
    detached: true,
    // The IPC channel closes when this process ends, which tells the child
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const answers: MigrateAnswer[] = [];
  const takeLine = (line: string) => {
    const answer = parseAnswer(line);
    if (answer) return void answers.push(answer);
    log.write(`${line}\n`);
    // The child's log lines are JSON objects
    if (!line.startsWith('{')) say(line);
  };
  if (child.stdout) createInterface({ input: child.stdout }).on('line', takeLine);
  let reason = '';
  child.stderr?.on('data', (bytes: Buffer) => {
    log.write(bytes);
    reason += bytes.toString();
  });
  const status = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // Both streams have ended by then
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  const [answer] = answers;
  log.close();
  if (status === saidWhy) throw new OperatorError(reason.trim());
  if (status !== 0 || !answer) throw new Error(`migrate failed (${status})`);
  return answer;
}

function parseAnswer(line: string): MigrateAnswer | null {
  if (!line.startsWith('{"migrated"')) return null;
  return JSON.parse(line) as MigrateAnswer;
}
