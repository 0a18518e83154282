import { hourMs } from '../utc-day.ts';
import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';
import { waitingIn } from './waiting-groups.ts';

/** The mail that the host answered within an hour. Each number counts recipients. */
export interface MailHour {
  /** When the hour begins. */
  at: Date;
  /**
   * Incoming mail that was stored. What people of this host send each other is only sent: its row
   * is the sender's, and does not say whose company the recipient is.
   */
  received: number;
  /**
   * Outgoing mail that was accepted from its sender and not taken back, whatever happened to it
   * later.
   */
  sent: number;
  /** Incoming mail that was refused by SMTP. */
  refused: number;
  /** The part of the outgoing mail that could not be delivered and was returned to its sender. */
  bounced: number;
}

type Counts = Omit<MailHour, 'at'>;

/*
 * The query for each hour reads a range of an index. One statement over the whole day, grouped by
 * hour, took three times as long, because it computed the hour of each row. Sums of integers would
 * be decimals, which are slower to add than these floating-point numbers.
 */
const countsOfHour = (index: string, where: string): string => `
  SELECT ? AS hour,
         SUM(IF(direction = 'in' AND state = 'stored', answers, 0e0)) AS received,
         SUM(IF(direction = 'out' AND state NOT IN ('refused', 'cancelled'), answers, 0e0)) AS sent,
         SUM(IF(direction = 'in' AND state = 'refused', answers, 0e0)) AS refused,
         SUM(IF(direction = 'out' AND state = 'bounced', answers, 0e0)) AS bounced
    FROM deliveries FORCE INDEX (${index}) WHERE ${where} created_at >= ? AND created_at < ?`;

/**
 * The starts of the present hour and of those before it, in milliseconds since 1970, oldest first.
 */
export function latestHours(hours: number, now: number): number[] {
  const last = Math.floor(now / hourMs) * hourMs;
  return Array.from({ length: hours }, (_, index) => last - (hours - 1 - index) * hourMs);
}

/**
 * The mail of a company or of the whole host within some hours, in their order. Mail that was
 * refused before its recipient was known belongs to no company. The mail of the host is read from
 * an index alone; for a company, its rows are read.
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
  // Two connections share the hours, since the database uses one core for each
  const middle = Math.ceil(starts.length / 2);
  const halves = [starts.slice(0, middle), starts.slice(middle)].filter(({ length }) => length > 0);
  const found = await Promise.all(halves.map(read));
  const byHour = new Map(found.flat().map((row) => [Number(row.hour), row]));
  return starts.map((start) => {
    const row = byHour.get(start);
    // Without rows there is no sum
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
 * recipients. As in the queue, mail that its own sender holds or has scheduled is not included
 * (D59).
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
