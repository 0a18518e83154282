import { hourMs } from '../utc-day.ts';
import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import { waitingIn } from './waiting-groups.ts';

/** What the host answered within an hour. Each number counts recipients. */
export interface MailHour {
  /** When the hour begins. */
  at: Date;
  /** Incoming mail that was stored. */
  received: number;
  /** Outgoing mail that was accepted from its sender and not taken back, whatever became of it. */
  sent: number;
  /** Incoming mail that was refused at the door. */
  refused: number;
  /** Of the outgoing mail: what could not be delivered and came back to its sender. */
  bounced: number;
}

type Counts = Omit<MailHour, 'at'>;

/*
 * Each hour is a range of an index. One statement over the whole day, grouped by its hours, took
 * three times as long: it worked out the hour of each row. Sums of integers would be decimals,
 * which are slower to add than these.
 */
const countsOfHour = (index: string, where: string): string => `
  SELECT ? AS hour,
         SUM(IF(direction = 'in' AND state = 'stored', answers, 0e0)) AS received,
         SUM(IF(direction = 'out' AND state NOT IN ('refused', 'cancelled'), answers, 0e0)) AS sent,
         SUM(IF(direction = 'in' AND state = 'refused', answers, 0e0)) AS refused,
         SUM(IF(direction = 'out' AND state = 'bounced', answers, 0e0)) AS bounced
    FROM deliveries FORCE INDEX (${index}) WHERE ${where} created_at >= ? AND created_at < ?`;

/** When the present hour and those before it begin, in milliseconds since 1970, oldest first. */
export function latestHours(hours: number, now: number): number[] {
  const last = Math.floor(now / hourMs) * hourMs;
  return Array.from({ length: hours }, (_, index) => last - (hours - 1 - index) * hourMs);
}

/**
 * The mail of a company or of the whole host within some hours, in their order. Mail that was
 * refused before its recipient was known belongs to no company. That of the host is read from an
 * index alone; of a company, its own rows are read.
 * @param starts when each of the hours begins, in milliseconds since 1970
 */
export async function mailOfHours(ctx: Ctx, scope: Scope, starts: readonly number[]): Promise<MailHour[]> {
  const [statement, ids]: [string, SqlValue[]] =
    scope.kind === 'company'
      ? [countsOfHour('deliveries_company', 'company_id = ? AND'), [scope.companyId]]
      : [countsOfHour('deliveries_day', ''), []];
  const read = (some: readonly number[]) =>
    readRows<Record<keyof Counts, number | null> & { hour: string }>(
      ctx,
      some.map(() => `(${statement})`).join(' UNION ALL '),
      some.flatMap((start) => [start, ...ids, new Date(start), new Date(start + hourMs)]),
    );
  // Two connections share the hours: the database reads for each on one core
  const middle = Math.ceil(starts.length / 2);
  const halves = [starts.slice(0, middle), starts.slice(middle)].filter(({ length }) => length > 0);
  const found = await Promise.all(halves.map(read));
  const byHour = new Map(found.flat().map((row) => [Number(row.hour), row]));
  return starts.map((start) => {
    const row = byHour.get(start);
    // There is no sum of no rows
    const sum = (name: keyof Counts) => Number(row?.[name] ?? 0);
    return {
      at: new Date(start),
      received: sum('received'),
      sent: sum('sent'),
      refused: sum('refused'),
      bounced: sum('bounced'),
    };
  });
}

/**
 * Outgoing mail that waits for its next attempt, or that an administrator holds, counted by
 * recipients. As in the queue, what its own sender holds or has scheduled is not among it (D59).
 */
export async function countWaiting(ctx: Ctx, scope: Scope): Promise<number> {
  const { sql, values } = waitingIn(scope);
  const [row] = await readRows<{ waiting: string | null }>(
    ctx,
    `SELECT COUNT(*) AS waiting FROM deliveries FORCE INDEX (deliveries_waiting) WHERE ${sql}`,
    values,
  );
  return Number(row?.waiting ?? 0);
}
