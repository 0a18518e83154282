import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Transaction, TransactionOptions } from 'sequelize';
import type { Actor, Scope } from './actor.ts';
import type { App } from './app.ts';
import { wasRolledBack } from '../database/database-errors.ts';
import { wasCommitSent } from '../database/run-statement.ts';
import { log } from '../log.ts';

/** What travels with a request, a message or a job: the actor, the scope and the transaction. */
export interface Ctx {
  app: App;
  actor: Actor | null;
  scope: Scope;
  tx?: Transaction;
  requestId: string;
  /** Address of the peer; empty for the host's own work. */
  address: string;
}

/** A context inside a transaction. */
export type TxCtx = Ctx & { tx: Transaction };

/** The context of the host's own work: mail that arrives, jobs, the start. */
export function systemContext(app: App, requestId: string = randomUUID()): Ctx {
  return { app, actor: null, scope: { kind: 'host' }, requestId, address: '' };
}

/** The key by which work takes turns: the person that it is for, or the host. */
export function turnOf({ actor }: Pick<Ctx, 'actor'>): string {
  return actor ? `user:${actor.userId}` : 'host';
}

/**
 * Thrown in a transaction when the facts that it began with have changed. The transaction is rolled
 * back, and run again from the start.
 */
export class Outdated extends Error {
  override readonly name = 'Outdated';
}

const attempts = 6;
const undoings = new WeakMap<Transaction, (() => Promise<void>)[]>();

/**
 * Registers work that runs once the transaction was rolled back, before it is run again. The work
 * undoes what the transaction did outside the database. It does not run when the commit may have
 * been carried out although it failed here. A failure of the work is logged.
 */
export function afterRollback({ tx }: TxCtx, work: () => Promise<void>): void {
  undoings.set(tx, [...(undoings.get(tx) ?? []), work]);
}

/**
 * Runs `fn` in one transaction: in the caller's if there is one, otherwise in a new one that
 * commits when `fn` returns. A new transaction that the database rolls back in favour of another,
 * or that throws `Outdated`, is run again from the start. So `fn` may only do database work, which
 * a rollback undoes, and work that it undoes itself by `afterRollback`. In the caller's transaction
 * `fn` runs once, since only the code that began a transaction can start it again.
 */
export async function inTransaction<T>(
  ctx: Ctx,
  fn: (ctx: TxCtx) => Promise<T>,
  options: Pick<TransactionOptions, 'isolationLevel'> = {},
): Promise<T> {
  if (ctx.tx !== undefined) return await fn({ ...ctx, tx: ctx.tx });
  for (let attempt = 1; ; attempt++) {
    let begun: Transaction | undefined;
    try {
      return await ctx.app.db.transaction(options, async (tx) => {
        begun = tx;
        return await fn({ ...ctx, tx });
      });
    } catch (error) {
      if (begun && (wasRolledBack(error) || !wasCommitSent(begun))) await undoOutside(begun);
      if (attempt === attempts || !(error instanceof Outdated || wasRolledBack(error))) throw error;
      log.debug('a transaction was rolled back and is run again', { attempt, requestId: ctx.requestId });
      // Transactions that are retried at the same moment would collide again
      await wait(Math.random() * 10 * 2 ** attempt);
    }
  }
}

async function undoOutside(tx: Transaction): Promise<void> {
  for (const work of undoings.get(tx) ?? []) {
    try {
      await work();
    } catch (error) {
      log.warn('what a failed transaction did outside the database is not undone', { error });
    }
  }
}
