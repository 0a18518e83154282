/** `./ops/ledger-check`: proves the ledger of a day; see there. */
import { utcDayAt } from '@selvage/core/utc-day';
import { systemContext } from '@selvage/core/context/context';
import type { MailAccount } from '@selvage/core/ledger/account-for-mail';
import { checkDay } from '@selvage/core/ledger/check-day';
import type { LedgerCheck } from '@selvage/core/ledger/check-ledger';
import { OperatorError } from '@selvage/core/operator-error';
import { type Config, loadConfig } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { hostEnvironment, withDatabase } from './host-environment.ts';
import { print, printError } from './print.ts';
import { runCommand } from './run-command.ts';

const dayMs = 86_400_000;
/** A day of millions of rows takes longer than a statement of a running host may. */
const timeoutSeconds = 600;

function lineOf(name: string, { accepted, refused, cancelled, ...states }: MailAccount): string {
  const { stored, relayed, bounced, held, queued } = states;
  const sum = `${stored} stored + ${relayed} relayed + ${bounced} bounced + ${held} held + ${queued} queued`;
  return `${name}: ${accepted} accepted = ${sum}; ${refused} refused, ${cancelled} taken back`;
}

function report(day: string, { accounts, problems }: LedgerCheck): void {
  print(`ledger of ${day} (UTC)`);
  print(lineOf('in ', accounts.in));
  print(lineOf('out', accounts.out));
  for (const { what, count, examples } of problems) printError(`${count} ${what}: ${examples.join(', ')}`);
  if (problems.length === 0) print('every message is accounted for');
}

async function check(config: Config, { day, from }: { day: string; from: Date }): Promise<number> {
  const { ledger: keptDays } = config.keptDays;
  if (keptDays > 0 && Date.now() - from.getTime() >= keptDays * dayMs) {
    throw new OperatorError(`the rows of ${day} are no longer kept: LEDGER_DAYS is ${keptDays}`);
  }
  const app = await startApp({ ...config, databaseTimeoutSeconds: timeoutSeconds }, { role: 'workers' });
  const found = await checkDay(systemContext(app), { from, to: new Date(from.getTime() + dayMs) });
  await stopApp(app);
  report(day, found);
  return found.problems.length === 0 ? 0 : 1;
}

await runCommand('ledger-check', async () => {
  const [day = utcDayAt(Date.now())] = process.argv.slice(2);
  const from = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : new Date(Number.NaN);
  if (Number.isNaN(from.getTime())) throw new OperatorError(`${day} is not a day: write it as 2026-11-30`);
  const env = hostEnvironment();
  return await withDatabase(env, { isThere: true }, () => check(loadConfig(env), { day, from }));
});
