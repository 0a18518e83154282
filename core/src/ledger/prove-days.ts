import type { Ctx } from '../context/context.ts';
import { isAwayForAll } from '../database/database-errors.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import type { Period } from './account-for-mail.ts';
import { addChecks, checkLedger, type LedgerCheck } from './check-ledger.ts';
import { graceMs, type LedgerDay, readLedgerDays } from './ledger-days.ts';
import { dayMs, hourMs, periodOfDay } from '../utc-day.ts';

/*
 * Each day is proved when it is over, by the same `checkLedger` as `./ops/ledger-check`. A day may
 * have ten million rows, so it is proved in slices of some thousand rows. Its row in `ledger_days`
 * holds the result of the slices so far:
 *
 *   no proof -- slices: walked_to, walk --> the last slice --> accounts, problems, proved_at
 *                                                               |  a difference: proved again
 *                                     <-------------------------+  after an hour, then each night
 *
 * A slice counts once: its result is stored only if the row still has the state from which the
 * slice began.
 */

/** The most rows of a slice: about 30 ms of reading for the database. */
const rowsOfSlice = 10_000;

/** Options of a proof. */
export interface Proving {
  now?: number;
  mostRows?: number;
}

/**
 * Proves the next slice of a day that waits for its proof: the latest day first, then days that
 * were missed while the host was off, then days with a difference. If the proof of a day fails, it
 * goes to the next day.
 * @returns false when no day waits
 * @throws the error of the first proof, when the proofs of all waiting days have failed
 */
export async function proveNextSlice(
  ctx: Ctx,
  { now = Date.now(), mostRows = rowsOfSlice }: Proving = {},
): Promise<boolean> {
  const days = await readLedgerDays(ctx, now);
  const waiting = [...days.filter(({ proved }) => proved === null), ...days.filter((day) => isDueAgain(day, now))];
  const failures: unknown[] = [];
  for (const day of waiting) {
    try {
      await proveSlice(ctx, day, { now, mostRows });
      return true;
    } catch (error) {
      if (isAwayForAll(error)) throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return false;
}

async function proveSlice(ctx: Ctx, next: LedgerDay, { now, mostRows }: Required<Proving>): Promise<void> {
  const whole = periodOfDay(next.day);
  const from = next.walk?.to ?? whole.from;
  const slice = { from, to: await endOfSlice(ctx, { from, to: whole.to }, mostRows) };
  const found = await checkLedger(ctx, slice);
  const sum = next.walk === null ? found : addChecks(next.walk.found, found);
  if (slice.to < whole.to) await noteWalk(ctx, next, { to: slice.to, found: sum });
  else await noteProof(ctx, next, { found: sum, now });
}

/**
 * Whether a day with a difference must be proved again. The first time is after an hour, since
 * workers that start after a long time first have to find the mail that waits for them. After that
 * it is proved again each night.
 */
function isDueAgain({ proved, proofs }: LedgerDay, now: number): boolean {
  if (proved === null || proved.difference === 0) return false;
  const night = Math.floor((now - graceMs) / dayMs) * dayMs + graceMs;
  const provedAt = proved.provedAt.getTime();
  return provedAt < night || (proofs <= 1 && provedAt < now - hourMs);
}

/**
 * The first moment before which a period has more than this many rows or messages; else its end.
 */
async function endOfSlice(ctx: Ctx, { from, to }: Period, mostRows: number): Promise<Date> {
  const cut = (table: string, index: string) =>
    `(SELECT created_at AS at FROM ${table} FORCE INDEX (${index}) WHERE created_at >= ? AND created_at < ?
       ORDER BY created_at LIMIT 1 OFFSET ${mostRows})`;
  const cuts = await readRows<{ at: Date }>(
    ctx,
    `${cut('deliveries', 'deliveries_day')} UNION ALL ${cut('messages', 'messages_day')}`,
    [from, to, from, to],
  );
  const end = Math.min(to.getTime(), ...cuts.map(({ at }) => at.getTime()));
  // All rows of the same moment must be in one slice, however many they are
  return new Date(Math.max(end, from.getTime() + 1));
}

type Walk = NonNullable<LedgerDay['walk']>;

async function noteWalk(ctx: Ctx, day: LedgerDay, { to, found }: Walk): Promise<void> {
  await change(ctx, day, 'walked_to = ?, walk = ?', [to, JSON.stringify(found)]);
}

async function noteProof(
  ctx: Ctx,
  day: LedgerDay,
  { found: { accounts, problems }, now }: { found: LedgerCheck; now: number },
): Promise<void> {
  const difference = problems.reduce((sum, { count }) => sum + count, 0);
  const isNoted = await change(
    ctx,
    day,
    `accounts = ?, problems = ?, difference = ?, proved_at = ?, proofs = proofs + 1, walked_to = NULL, walk = NULL`,
    [JSON.stringify(accounts), JSON.stringify(problems), difference, new Date(now)],
  );
  if (!isNoted) return;
  const facts = { day: day.day, accepted: accounts.in.accepted + accounts.out.accepted };
  if (difference === 0) log.info('every message of a day is accounted for', facts);
  else log.error('messages of a day are not accounted for', { ...facts, difference, problems });
}

/** Another process may have continued the proof of the day meanwhile. Then its figures are kept. */
async function change(
  ctx: Ctx,
  { day, walk, proofs }: LedgerDay,
  set: string,
  values: readonly (string | number | Date)[],
): Promise<boolean> {
  await changeRows(ctx, 'INSERT IGNORE INTO ledger_days (day) VALUES (?)', [day]);
  const statement = `UPDATE ledger_days SET ${set} WHERE day = ? AND walked_to <=> ? AND proofs = ?`;
  return (await changeRows(ctx, statement, [...values, day, walk?.to ?? null, proofs])) === 1;
}
