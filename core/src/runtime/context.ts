import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { PermissionEntry } from '../contracts/auth.ts';
import type { App } from './app.ts';
import { isDeadlock } from './database-errors.ts';
import { log } from './log.ts';

/** The signed-in person on whose behalf something happens. */
export interface Actor {
  userId: string;
  companyId: string;
  email: string;
  /** Number of the role: 0 Super Admin, 1 Admin, 2 User, more for custom ones. A smaller number ranks higher. */
  roleNumber: number;
  roleName: string;
  /** Effective permissions (D4). */
  permissions: PermissionEntry[];
  tokenVersion: number;
  /** Works for the host itself, and so may see every company if the permission says so. */
  isProvider: boolean;
  /** Null where there is none: a mail program that submits. */
  sessionId: string | null;
}

/** Whose records may be seen: every company's, or one's. */
export type Scope = { kind: 'host' } | { kind: 'company'; companyId: string };

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

const deadlockRetries = 3;

/**
 * Runs `fn` in one transaction: in the caller's if there is one, otherwise in a new one that commits when `fn` returns. A new
 * transaction that loses a deadlock is run again, so `fn` must do nothing but database work that a rollback undoes.
 */
export async function inTransaction<T>(ctx: Ctx, fn: (ctx: TxCtx) => Promise<T>): Promise<T> {
  if (ctx.tx !== undefined) return await fn({ ...ctx, tx: ctx.tx });
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.app.db.transaction(async (tx) => await fn({ ...ctx, tx }));
    } catch (error) {
      if (attempt > deadlockRetries || !isDeadlock(error)) throw error;
      log.info('transaction lost a deadlock and is run again', { attempt, requestId: ctx.requestId });
    }
  }
}
