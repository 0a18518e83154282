import { provedDays } from '../contracts/ledger-proof.ts';
import { readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import type { Config } from '../process/config.ts';
import type { LedgerCheck } from './check-ledger.ts';
import { ledgerKeptSince } from './kept-since.ts';
import { dayMs, periodOfDay, type UtcDay, utcDayAt } from '../utc-day.ts';

/** A day with the result of its last proof. */
export interface ProvedDay extends LedgerCheck {
  day: UtcDay;
  provedAt: Date;
  /** The number of messages and rows that are not accounted for. */
  difference: number;
}

/** The state of a day in the table `ledger_days`. */
export interface LedgerDay {
  day: UtcDay;
  /** Null before the first proof, and after a proof by a process whose clock was wrong. */
  proved: ProvedDay | null;
  /** How often it was proved. */
  proofs: number;
  /** An unfinished proof: where to continue, and the result so far. */
  walk: { to: Date; found: LedgerCheck } | null;
}

/**
 * How long after midnight a day is proved, since mail that was accepted before midnight may be
 * committed after it.
 */
export const graceMs = 30 * 60_000;

/**
 * The past days for which there are rows, the latest one first; the last 30 at most. Before the
 * first message of the host there is none.
 */
export async function readLedgerDays(
  target: DatabaseTarget & { app: { config: Pick<Config, 'keptDays'> } },
  now = Date.now(),
): Promise<LedgerDay[]> {
  const last = utcDayAt(now - graceMs - dayMs);
  const since = await firstMoment(target);
  if (since === null || utcDayAt(since) > last) return [];
  const keptSince = await ledgerKeptSince(target, now);
  const rows = await readRows<Row>(
    target,
    `SELECT CAST(day AS CHAR) AS day, accounts, problems, difference, proofs, proved_at AS provedAt,
            walked_to AS walkedTo, walk FROM ledger_days WHERE day >= ? AND day <= ?`,
    [utcDayAt(now - (provedDays + 1) * dayMs), last],
  );
  const kept = new Map(rows.map((row) => [row.day, row]));
  const days: LedgerDay[] = [];
  for (let { from } = periodOfDay(last); days.length < provedDays; from = new Date(from.getTime() - dayMs)) {
    const day = utcDayAt(from.getTime());
    if (day < utcDayAt(since) || (keptSince !== null && from <= keptSince)) break;
    days.push(dayOf(day, kept.get(day), now));
  }
  return days;
}

/**
 * The time until which the ledger is proved: the end of the last proved day, however long ago. If
 * no day was ever proved, it is the start of the first day that can be; null before the first
 * message.
 */
export async function ledgerProvedUntil(
  target: DatabaseTarget & { app: { config: Pick<Config, 'keptDays'> } },
  now = Date.now(),
): Promise<number | null> {
  const first = await firstMoment(target);
  if (first === null) return null;
  const keptSince = await ledgerKeptSince(target, now);
  const [row] = await readRows<{ day: UtcDay | null }>(
    target,
    `SELECT CAST(MAX(day) AS CHAR) AS day FROM ledger_days
      WHERE proved_at >= day + INTERVAL 1 DAY AND proved_at <= ?`,
    [new Date(now)],
  );
  const starts = [
    periodOfDay(utcDayAt(first)).from,
    // A day is proved only while all of its rows are kept
    ...(keptSince === null ? [] : [periodOfDay(utcDayAt(keptSince.getTime())).to]),
    ...(row?.day ? [periodOfDay(row.day).to] : []),
  ];
  return Math.max(...starts.map((start) => start.getTime()));
}

interface Row {
  day: UtcDay;
  accounts: string | null;
  problems: string | null;
  difference: string;
  proofs: number;
  provedAt: Date | null;
  walkedTo: Date | null;
  walk: string | null;
}

function dayOf(day: UtcDay, row: Row | undefined, now: number): LedgerDay {
  if (row === undefined) return { day, proved: null, proofs: 0, walk: null };
  const { accounts, problems, difference, proofs, provedAt, walkedTo, walk } = row;
  const isProved = provedAt !== null && provedAt >= periodOfDay(day).to && provedAt.getTime() <= now;
  return {
    day,
    proofs: Number(proofs),
    proved: isProved
      ? {
          day,
          provedAt,
          difference: Number(difference),
          accounts: JSON.parse(accounts ?? '') as LedgerCheck['accounts'],
          problems: JSON.parse(problems ?? '') as LedgerCheck['problems'],
        }
      : null,
    walk: walkedTo === null || walk === null ? null : { to: walkedTo, found: JSON.parse(walk) as LedgerCheck },
  };
}

/** The time of the oldest row or message. It is read from the ends of two indexes. */
async function firstMoment(target: DatabaseTarget): Promise<number | null> {
  const rows = await readRows<{ at: Date | null }>(
    target,
    'SELECT MIN(created_at) AS at FROM deliveries UNION ALL SELECT MIN(created_at) FROM messages',
    [],
  );
  const moments = rows.flatMap(({ at }) => (at === null ? [] : [at.getTime()]));
  return moments.length === 0 ? null : Math.min(...moments);
}
