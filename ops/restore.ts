/** `./ops/restore`: makes a host out of a backup; that script has the details. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError } from '@selvage/core/operator-error';
import { settingsFile } from '@selvage/core/backup/manifest';
import { readableBytes } from '@selvage/core/backup/progress';
import { type Restored, restoreBackup, type RestoreJob } from '@selvage/core/backup/restore-backup';
import { releaseOutgoing } from '@selvage/core/backup/settle-restored';
import { hostEnvironment, onDatabase } from './host-environment.ts';
import { interruption } from './interruption.ts';
import { print, printError } from './print.ts';
import { runCommand } from './run-command.ts';
import { dataDirOf } from './supervisor/settings.ts';
import { readRunningStack } from './supervisor/state-file.ts';
import { terminalProgress } from './terminal-progress.ts';

const shown = 20;

/** Prints the first lines of a list that may be long. */
function printSome(title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  printError(title);
  for (const line of lines.slice(0, shown)) printError(`  ${line}`);
  if (lines.length > shown) printError(`  and ${lines.length - shown} more`);
}

function report({ snapshot, damage, missing, ...restored }: Restored, { sendsOutgoing }: Choice): number {
  printSome('the backup is damaged:', damage.lines);
  if (!restored.isRestored) {
    printError(
      restored.isUsable
        ? 'nothing was restored; --accept-losses restores what is left'
        : 'nothing was restored: without its database, its list of blobs and its secret key a backup makes no host; take another one by --snapshot NAME, or give the key in SELVAGE_SECRET_KEY',
    );
    return 1;
  }
  const { companies, users, messages, blobs, bytes, heldBack } = restored;
  print(
    `restored ${snapshot.name}: companies ${companies}, people ${users}, messages ${messages}, blobs ${blobs} (${readableBytes(bytes)})`,
  );
  const areDamaged = damage.files.has(settingsFile) ? ' are damaged' : '';
  print(`the settings of that host${areDamaged}: ${join(snapshot.path, settingsFile)}`);
  print('every person has to log in again; passwords are those of the backup');
  if (!sendsOutgoing) {
    if (heldBack > 0)
      print(`${heldBack} outgoing deliveries wait, since they may have been sent after the backup was made.`);
    print('alarms over domains wait, since the old host may still raise them.');
    print('let them go when this host takes the place of the old one: ./ops/restore --release-outgoing');
    print('with Docker: docker compose exec workers node ops/restore.ts --release-outgoing');
  }
  printSome('rows that lack their bytes need these blobs:', missing);
  if (missing.length > 0) return 1;
  print('every row has its bytes');
  return damage.lines.length > 0 ? 1 : 0;
}

type Choice = Pick<RestoreJob, 'directory' | 'snapshot' | 'replaces' | 'acceptsLosses' | 'sendsOutgoing'>;

async function restore(choice: Choice): Promise<number> {
  const dataDir = dataDirOf();
  if (readRunningStack(dataDir))
    throw new OperatorError(`the host in ${dataDir} is running; stop it first: ./ops/down`);
  const env: NodeJS.ProcessEnv = { ...process.env, SELVAGE_DATA: dataDir };
  const hasGivenKey = Boolean(env['SELVAGE_SECRET_KEY'] || env['SELVAGE_SECRET_KEY_FILE']);
  const [progress, signal] = [terminalProgress(), interruption()];
  return await onDatabase(env, { needsHost: false }, async (host) =>
    report(await restoreBackup({ ...choice, ...host, hasGivenKey, progress, signal }), choice),
  );
}

async function release(): Promise<number> {
  const released = await onDatabase(hostEnvironment(), { needsHost: true }, ({ db }) =>
    releaseOutgoing({ app: { db } }),
  );
  print(`${released} outgoing deliveries may go`);
  return 0;
}

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      snapshot: { type: 'string' },
      replace: { type: 'boolean', default: false },
      'accept-losses': { type: 'boolean', default: false },
      'send-outgoing': { type: 'boolean', default: false },
      'release-outgoing': { type: 'boolean', default: false },
    },
  });
  const [given, ...others] = positionals;
  if (values['release-outgoing']) {
    if (process.argv.length > 3) {
      throw new OperatorError(
        '--release-outgoing takes no other argument. To send the waiting mail of a restore, give --send-outgoing',
      );
    }
    return await release();
  }
  if (given === undefined || others.length > 0) throw new OperatorError('name one directory: ./ops/restore DIRECTORY');
  return await restore({
    directory: resolve(given),
    snapshot: values.snapshot,
    replaces: values.replace,
    acceptsLosses: values['accept-losses'],
    sendsOutgoing: values['send-outgoing'],
  });
}

await runCommand('restore', run);
