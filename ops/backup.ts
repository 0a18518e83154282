/** `./ops/backup`: backs up the whole host while it runs; that script has the details. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBackup } from '@selvage/core/backup/check-backup';
import { makeBackup } from '@selvage/core/backup/make-backup';
import { pruneAlone } from '@selvage/core/backup/prune-backups';
import { listSnapshots, openSnapshot, type Snapshot } from '@selvage/core/backup/manifest';
import { OperatorError } from '@selvage/core/operator-error';
import { readableBytes } from '@selvage/core/backup/progress';
import { settingsIn } from '@selvage/core/backup/settings-file';
import { hostEnvironment, onDatabase } from './host-environment.ts';
import { interruption } from './interruption.ts';
import { print, printError } from './print.ts';
import { runCommand } from './run-command.ts';
import { terminalProgress } from './terminal-progress.ts';

const shownKeys = 20;
const progress = terminalProgress();

interface Options {
  keep?: number | undefined;
  isQuick: boolean;
  signal: AbortSignal;
}

function describe({ path, manifest: { hostname, rows, blobs, takenAt } }: Snapshot): string {
  const { companies, users, messages } = rows;
  const size = readableBytes(blobs.bytes);
  return `${path}: companies ${companies}, people ${users}, messages ${messages}, blobs ${blobs.count} (${size}) of ${hostname}, ${takenAt}`;
}

async function backUp(directory: string, { keep, isQuick, signal }: Options): Promise<number> {
  const env = hostEnvironment();
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
    version: string;
  };
  const settings = settingsIn(env);
  const snapshot = await onDatabase(env, { needsHost: true }, (host) =>
    makeBackup({ ...host, directory, version, settings, keep, isQuick, progress, signal }),
  );
  print(describe(snapshot));
  const { unpruned, manifest } = snapshot;
  if (unpruned !== null) printError(`the backup is whole, but older ones could not be removed: ${unpruned}`);
  const { lost } = manifest;
  if (lost.length === 0) {
    print('every row of the backup has its bytes');
    return unpruned === null ? 0 : 1;
  }
  printError(`${lost.length} blobs that rows need are lost or damaged on this host, and no backup here has them:`);
  for (const key of lost.slice(0, shownKeys)) printError(`  ${key}`);
  return 1;
}

async function prune(directory: string, { keep, signal }: { keep: number; signal: AbortSignal }): Promise<number> {
  await onDatabase(hostEnvironment(), { needsHost: true }, ({ db, config: { secretKey } }) =>
    pruneAlone({ app: { db } }, { directory, keep, progress, signal, secretKey }),
  );
  const names = await listSnapshots(directory);
  print(`${directory} keeps ${names.length} backups, the newest of ${names.at(-1)}`);
  return 0;
}

async function check(directory: string): Promise<number> {
  const snapshot = await openSnapshot(directory);
  const { lines } = await checkBackup(directory, snapshot, { progress });
  for (const line of lines) printError(line);
  if (lines.length > 0) return 1;
  print(`${describe(snapshot)} is whole`);
  return 0;
}

async function list(directory: string): Promise<number> {
  const names = await listSnapshots(directory);
  if (names.length === 0) throw new OperatorError(`there is no finished backup in ${directory}`);
  for (const name of names) print(describe(await openSnapshot(directory, name)));
  return 0;
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      keep: { type: 'string' },
      prune: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
    },
  });
  const [given, ...others] = positionals;
  if (given === undefined || others.length > 0) throw new OperatorError('name one directory: ./ops/backup DIRECTORY');
  if (values.keep !== undefined && !/^[1-9]\d{0,5}$/.test(values.keep))
    throw new OperatorError('--keep needs a whole number, 1 or more');
  if (values.prune && values.keep === undefined)
    throw new OperatorError('--prune needs --keep NUMBER, the number of snapshots to keep');
  const directory = resolve(given);
  if (values.list) return await list(directory);
  if (values.check) return await check(directory);
  const signal = interruption();
  const keep = values.keep === undefined ? undefined : Number(values.keep);
  if (values.prune && keep !== undefined) return await prune(directory, { keep, signal });
  return await backUp(directory, { keep, isQuick: values.quick, signal });
}

await runCommand('backup', run);
