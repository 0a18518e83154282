import { doubtsAboutEngines } from './engine-settings.ts';
import { requireOwnMarks } from './host-marks.ts';
import { seedFirstStart } from './seed.ts';
import { doubtsAboutSettings } from './settings-doubts.ts';
import { startApp, stopApp } from './start-app.ts';
import { messageOf } from '../errors.ts';
import { describeFailure, OperatorError } from '../operator-error.ts';
import { refuseHalfRestored } from '../backup/restore-marker.ts';
import { type Config, ConfigError, loadConfig } from '../process/config.ts';
import { keepThreadPoolAwake } from '../process/keep-thread-pool-awake.ts';
import type { App } from '../context/app.ts';
import { systemContext } from '../context/context.ts';
import { isDatabaseAway } from '../database/database-errors.ts';
import { migrate, MigratingElsewhere, withMigrationLock } from '../database/migrate.ts';
import { configureLog, log } from '../log.ts';
import { CertificateError, ensureCertificate } from '../secrets/certificate.ts';

// Brings the database up to this version and makes the first Super Admin. It is run before the
// other processes. Running it again, or several times at once, is harmless. While it upgrades, it
// prints sentences on how far it is. At the end it prints one JSON line for its caller, with a
// generated password only the first time. A failure that the operator can act on is one sentence on
// standard error, and status 2.

// The supervisor waits for the answer. When it is gone, however it ended, the schema is left to the
// next start
process.on('disconnect', () => process.exit(1));
// An open channel must not keep the process running
process.channel?.unref();

const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);

async function connect(config: Config): Promise<App> {
  try {
    return await startApp(config, { role: 'migrate', say });
  } catch (cause) {
    if (!isDatabaseAway(cause)) throw cause;
    const setting = config.source.given['DATABASE_URL'] === undefined ? '' : ' (DATABASE_URL)';
    throw new OperatorError(`${describeFailure(cause)}${setting}`, { cause });
  }
}

async function run(): Promise<void> {
  const config = loadConfig();
  // The operator reads stdout, so only warnings and errors are logged
  configureLog({ level: config.logLevel === 'silent' ? 'silent' : 'warn', process: 'migrate' });
  for (const doubt of doubtsAboutSettings(config.dataDir)) say(`!! ${doubt}`);
  refuseHalfRestored(config);
  await ensureCertificate(config);
  const app = await connect(config);
  try {
    for (const doubt of await doubtsAboutEngines(app)) say(`!! ${doubt}`);
    const result = await withMigrationLock(app.db, async () => {
      const migrated = await migrate(app.db, { say });
      const admin = await seedFirstStart(systemContext(app), config);
      await requireOwnMarks({ app });
      return { migrated, admin };
    });
    process.stdout.write(`${JSON.stringify(result)}\n`);
  } finally {
    await stopApp(app);
  }
}

keepThreadPoolAwake();
try {
  await run();
} catch (error) {
  const isSentence = [ConfigError, CertificateError, OperatorError, MigratingElsewhere].some(
    (kind) => error instanceof kind,
  );
  if (isSentence) process.stderr.write(`${messageOf(error)}\n`);
  else log.error('migration failed', { error });
  process.exitCode = isSentence ? 2 : 1;
}
