import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Transaction, TransactionOptions } from 'sequelize';
import type { Actor, Scope } from './actor.ts';
import type { App } from './app.ts';
import { wasTakenBack } from '../database/database-errors.ts';
import { log } from '../log.ts';

/** What travels with a request, a message or a job: who, within which limits, in which transaction. */
export interface Ctx {
  app: App;
  actor: Actor | null;
  scope: Scope;
  tx?: Transaction;
  requestId: string;
  /** Address of the peer; empty for our own work. */
  address: string;
}

/** A context inside a transaction. */
export type TxCtx = Ctx & { tx: Transaction };

/** The context of our own work: mail that arrives, jobs, start-up. */
export function systemContext(app: App, requestId: string = randomUUID()): Ctx {
  return { app, actor: null, scope: { kind: 'host' }, requestId, address: '' };
}

const attempts = 6;

/**
 * Runs `fn` in one transaction: in the caller's if there is one, otherwise in a new one that commits when `fn` returns. A new
 * transaction that the engine takes back in favour of another is run again from the start, so `fn` must do nothing but database
 * work that a rollback undoes. In the caller's transaction it runs once: only the one who began can start again.
 */
export async function inTransaction<T>(
  ctx: Ctx,
  fn: (ctx: TxCtx) => Promise<T>,
  options: Pick<TransactionOptions, 'isolationLevel'> = {},
): Promise<T> {
  if (ctx.tx !== undefined) return await fn({ ...ctx, tx: ctx.tx });
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.app.db.transaction(options, async (tx) => await fn({ ...ctx, tx }));
    } catch (error) {
      if (attempt === attempts || !wasTakenBack(error)) throw error;
      log.debug('a transaction was taken back and is run again', { attempt, requestId: ctx.requestId });
      // Losers that come back in step would meet again
      await wait(Math.random() * 10 * 2 ** attempt);
    }
  }
}
