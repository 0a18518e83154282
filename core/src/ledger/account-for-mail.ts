import { col, fn, type InferAttributes, QueryTypes, type WhereOptions } from 'sequelize';
import { Delivery, type DeliveryState } from '../models/delivery.ts';
import type { Scope } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';

/**
 * What became of the mail of one direction. `accepted` is always the sum of the five after it
 * (D30).
 */
export interface MailAccount {
  accepted: number;
  stored: number;
  relayed: number;
  bounced: number;
  held: number;
  queued: number;
  /** Answered with an error at the door, so not accepted. */
  refused: number;
  /** Taken back by the sender before anything was sent, so no longer accepted. */
  cancelled: number;
  /** True when the sum is right: each accepted row is in one of the five states. */
  isBalanced: boolean;
}

/** Both directions of a scope. */
export interface MailAccounts {
  in: MailAccount;
  out: MailAccount;
  /**
   * Messages without a row in the ledger; there are never any. Counted for the whole host only,
   * else 0.
   */
  unaccounted: number;
}

/**
 * Accounts for every message of a company or of the whole host: the number of its recipients, and
 * what became of them.
 */
export async function accountForMail(ctx: Ctx, scope: Scope): Promise<MailAccounts> {
  const where: WhereOptions<InferAttributes<Delivery>> = scope.kind === 'company' ? { companyId: scope.companyId } : {};
  const rows = (await Delivery.findAll({
    attributes: ['direction', 'state', [fn('COUNT', col('id')), 'count']],
    where,
    group: ['direction', 'state'],
    raw: true,
    transaction: ctx.tx,
  })) as unknown as { direction: 'in' | 'out'; state: DeliveryState; count: number | string }[];
  const unaccounted = scope.kind === 'host' ? await countUnaccounted(ctx) : 0;
  return { in: account(rows, 'in'), out: account(rows, 'out'), unaccounted };
}

async function countUnaccounted(ctx: Ctx): Promise<number> {
  const [row] = await ctx.app.db.query<{ count: number | string }>(
    'SELECT COUNT(*) AS count FROM messages m WHERE NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.message_id = m.id)',
    { type: QueryTypes.SELECT, transaction: ctx.tx },
  );
  return Number(row?.count ?? 0);
}

function account(
  rows: { direction: 'in' | 'out'; state: DeliveryState; count: number | string }[],
  direction: 'in' | 'out',
): MailAccount {
  const own = rows.filter((row) => row.direction === direction);
  const of = (state: DeliveryState): number => Number(own.find((row) => row.state === state)?.count ?? 0);
  const all = own.reduce((sum, { count }) => sum + Number(count), 0);
  const states = {
    stored: of('stored'),
    relayed: of('relayed'),
    bounced: of('bounced'),
    held: of('held'),
    queued: of('queued'),
  };
  const accepted = all - of('refused') - of('cancelled');
  const sum = Object.values(states).reduce((total, count) => total + count, 0);
  return {
    accepted,
    ...states,
    refused: of('refused'),
    cancelled: of('cancelled'),
    isBalanced: accepted === sum,
  };
}
