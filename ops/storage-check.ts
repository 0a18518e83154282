/**
 * `./ops/storage-check`: proves the kept figures of what people have stored; that script has the
 * details.
 */
import { parseArgs } from 'node:util';
import { systemContext } from '@selvage/core/context/context';
import { checkStorage, type WrongFigure } from '@selvage/core/mailstore/check-storage';
import { type Config, loadConfig } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { hostEnvironment, withDatabase } from './host-environment.ts';
import { print, printError } from './print.ts';
import { runCommand } from './run-command.ts';

/** The count of one large folder takes longer than a statement of a running host may. */
const timeoutSeconds = 600;

function lineOf({ folderId, userId, kept, counted }: WrongFigure): string {
  return `folder ${folderId} of user ${userId}: ${kept} bytes are recorded, ${counted} are there`;
}

async function check(config: Config): Promise<number> {
  const app = await startApp({ ...config, databaseTimeoutSeconds: timeoutSeconds }, { role: 'workers' });
  const ctx = systemContext(app);
  let [folders, wrong, uncounted] = [0, 0, 0];
  for (let after: string | null = '0'; after !== null; ) {
    const step = await checkStorage(ctx, after);
    folders += step.checked;
    wrong += step.wrong.length;
    uncounted += step.uncounted.length;
    for (const figure of step.wrong) printError(lineOf(figure));
    for (const folderId of step.uncounted) printError(`folder ${folderId}: it could not be counted`);
    after = step.last;
  }
  await stopApp(app);
  if (wrong > 0) print(`${wrong} of ${folders} folders are wrong`);
  if (uncounted > 0) print(`${uncounted} of ${folders} folders could not be counted`);
  if (wrong + uncounted === 0) print(`the recorded sizes of all ${folders} folders are right`);
  if (wrong > 0) return 1;
  return uncounted > 0 ? 2 : 0;
}

await runCommand('storage-check', async () => {
  parseArgs();
  const env = hostEnvironment();
  return await withDatabase(env, { needsHost: true }, () => check(loadConfig(env)));
});
