import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows, type SqlValue } from '../database/run-sql.ts';

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

const hourMs = 3_600_000;

/**
 * The mail of a company or of the whole host, hour by hour, the oldest first. Mail that was refused
 * before its recipient was known belongs to no company.
 * @param hours how many, the present one included
 */
export async function mailByHour(ctx: Ctx, scope: Scope, hours: number, now = new Date()): Promise<MailHour[]> {
  const last = Math.floor(now.getTime() / hourMs) * hourMs;
  const first = last - (hours - 1) * hourMs;
  const found = await readRows<Omit<MailHour, 'at'> & { hour: number }>(
    ctx,
    `SELECT FLOOR(UNIX_TIMESTAMP(created_at) / 3600) AS hour,
            SUM(IF(direction = 'in' AND state = 'stored', answers, 0)) AS received,
            SUM(IF(direction = 'out' AND state NOT IN ('refused', 'cancelled'), answers, 0)) AS sent,
            SUM(IF(direction = 'in' AND state = 'refused', answers, 0)) AS refused,
            SUM(IF(direction = 'out' AND state = 'bounced', answers, 0)) AS bounced
       FROM deliveries WHERE created_at >= ? AND created_at < ? ${ofScope(scope)} GROUP BY hour`,
    [new Date(first), new Date(last + hourMs), ...idOf(scope)],
  );
  const byHour = new Map(found.map((row) => [Number(row.hour) * hourMs, row]));
  return Array.from({ length: hours }, (_, index) => {
    const at = first + index * hourMs;
    const row = byHour.get(at);
    // The database gives sums as text
    const sum = (name: 'received' | 'sent' | 'refused' | 'bounced') => Number(row?.[name] ?? 0);
    return {
      at: new Date(at),
      received: sum('received'),
      sent: sum('sent'),
      refused: sum('refused'),
      bounced: sum('bounced'),
    };
  });
}

/** Outgoing mail that waits for its next attempt, or is held, counted by recipients. */
export async function countWaiting(ctx: Ctx, scope: Scope): Promise<number> {
  const [row] = await readRows<{ waiting: string | null }>(
    ctx,
    `SELECT COUNT(*) AS waiting FROM deliveries
      WHERE direction = 'out' AND state IN ('queued', 'held') ${ofScope(scope)}`,
    idOf(scope),
  );
  return Number(row?.waiting ?? 0);
}

const ofScope = (scope: Scope): string => (scope.kind === 'company' ? 'AND company_id = ?' : '');
const idOf = (scope: Scope): SqlValue[] => (scope.kind === 'company' ? [scope.companyId] : []);
