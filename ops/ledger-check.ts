/** `./ops/ledger-check`: proves the ledger of a day; that script has the details. */
import { parseArgs } from 'node:util';
import { dayMs, periodOfDay, type UtcDay, utcDayAt } from '@selvage/core/utc-day';
import { systemContext } from '@selvage/core/context/context';
import type { MailAccount } from '@selvage/core/ledger/account-for-mail';
import { checkDay } from '@selvage/core/ledger/check-day';
import type { LedgerCheck } from '@selvage/core/ledger/check-ledger';
import { ledgerKeptSince } from '@selvage/core/ledger/kept-since';
import { OperatorError } from '@selvage/core/operator-error';
import type { Config } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { hostEnvironment, onDatabase } from './host-environment.ts';
import { print, printError } from './print.ts';
import { runCommand } from './run-command.ts';

/** A day of millions of rows takes longer than a statement of a running host may. */
const timeoutSeconds = 600;

function lineOf(name: string, { accepted, refused, cancelled, ...states }: MailAccount): string {
  const { stored, relayed, bounced, held, queued } = states;
  const sum = `${stored} stored + ${relayed} relayed + ${bounced} bounced + ${held} held + ${queued} queued`;
  return `${name}: ${accepted} accepted = ${sum}; ${refused} refused, ${cancelled} not sent`;
}

function report(day: string, { accounts, problems }: LedgerCheck): void {
  print(`ledger of ${day} (UTC)`);
  print(lineOf('in ', accounts.in));
  print(lineOf('out', accounts.out));
  for (const { what, count, examples } of problems) printError(`${count} ${what}: ${examples.join(', ')}`);
  if (problems.length === 0) print('every message is accounted for');
}

interface Day {
  day: UtcDay;
  from: Date;
}

async function check(config: Config, { day, from }: Day): Promise<number> {
  const app = await startApp({ ...config, databaseTimeoutSeconds: timeoutSeconds }, { role: 'workers' });
  try {
    const ctx = systemContext(app);
    const keptSince = await ledgerKeptSince(ctx);
    if (keptSince !== null && from <= keptSince) {
      const first = utcDayAt(keptSince.getTime() + dayMs);
      throw new OperatorError(
        `not all rows of ${day} are kept any more (LEDGER_DAYS); the first whole day is ${first}`,
      );
    }
    const found = await checkDay(ctx, periodOfDay(day));
    report(day, found);
    return found.problems.length === 0 ? 0 : 1;
  } finally {
    await stopApp(app);
  }
}

function readDay(args: readonly string[]): Day {
  const [day = utcDayAt(Date.now()), ...more] = args;
  if (more.length > 0) throw new OperatorError('name one day at most');
  const isWritten = /^\d{4}-\d{2}-\d{2}$/.test(day);
  const from = isWritten ? periodOfDay(day).from : new Date(Number.NaN);
  if (Number.isNaN(from.getTime())) throw new OperatorError(`${day} is not a day: write it as 2026-11-30`);
  // The 30th of February would be the 2nd of March
  if (utcDayAt(from.getTime()) !== day) throw new OperatorError(`there is no ${day} in the calendar`);
  if (from.getTime() > Date.now()) throw new OperatorError(`${day} has not begun yet, in UTC`);
  return { day, from };
}

await runCommand('ledger-check', async () => {
  const day = readDay(parseArgs({ allowPositionals: true }).positionals);
  return await onDatabase(hostEnvironment(), { needsHost: true }, ({ config }) => check(config, day));
});
