/** `./ops/ledger-check`: proves the ledger of a day; see there. */
import { systemContext } from '@selvage/core/context/context';
import type { MailAccount } from '@selvage/core/ledger/account-for-mail';
import { checkLedger, type LedgerCheck } from '@selvage/core/ledger/check-ledger';
import { configureLog } from '@selvage/core/log';
import { loadConfig } from '@selvage/core/process/config';
import { startApp, stopApp } from '@selvage/core/startup/start-app';
import { print, printError } from './print.ts';

const dayMs = 86_400_000;
/** A day of millions of rows takes longer than a statement of a running host may. */
const timeoutSeconds = 600;

const [day = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
const from = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : new Date(Number.NaN);
if (Number.isNaN(from.getTime())) {
  printError(`${day} is not a day: write it as 2026-11-30`);
  process.exit(2);
}

function lineOf(name: string, { accepted, refused, cancelled, ...states }: MailAccount): string {
  const { stored, relayed, bounced, held, queued } = states;
  const sum = `${stored} stored + ${relayed} relayed + ${bounced} bounced + ${held} held + ${queued} queued`;
  return `${name}: ${accepted} accepted = ${sum}; ${refused} refused, ${cancelled} taken back`;
}

const config = loadConfig();
const { ledger: keptDays } = config.keptDays;
if (keptDays > 0 && Date.now() - from.getTime() >= keptDays * dayMs) {
  printError(`the rows of ${day} are no longer kept: LEDGER_DAYS is ${keptDays}`);
  process.exit(2);
}

// Its last sentence says what went wrong
configureLog({ level: 'error', process: 'ledger-check' });

try {
  const app = await startApp({ ...config, databaseTimeoutSeconds: timeoutSeconds }, { role: 'workers' });
  const check = await checkLedger(systemContext(app), { from, to: new Date(from.getTime() + dayMs) });
  await stopApp(app);
  report(check);
  process.exit(check.problems.length === 0 ? 0 : 1);
} catch (error) {
  printError(`the ledger of ${day} could not be read: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(2);
}

function report({ accounts, problems }: LedgerCheck): void {
  print(`ledger of ${day} (UTC)`);
  print(lineOf('in ', accounts.in));
  print(lineOf('out', accounts.out));
  for (const { what, count, examples } of problems) printError(`${count} ${what}: ${examples.join(', ')}`);
  if (problems.length === 0) print('every message is accounted for');
}
