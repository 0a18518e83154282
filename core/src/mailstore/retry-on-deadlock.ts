import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseError } from 'sequelize';
import type { Ctx } from '../runtime/context.ts';
import { inTransaction } from '../runtime/context.ts';

/** Deadlock, lock wait timeout, and MariaDB's "record has changed since last read": the engine asks to start again. */
const startAgain = new Set([1213, 1205, 1020]);

const ATTEMPTS = 6;

/** True when the engine took the transaction back and would take it again. */
export function isDeadlock(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    'errno' in error.original &&
    typeof error.original.errno === 'number' &&
    startAgain.has(error.original.errno)
  );
}

/**
 * Runs `change` in a transaction, and again from the start when the engine chose it as the victim of a deadlock. Inside
 * a transaction of the caller it runs once: only the one who began can start again.
 */
export async function retryOnDeadlock<T>(
  ctx: Ctx,
  change: (ctx: Ctx & { tx: NonNullable<Ctx['tx']> }) => Promise<T>,
): Promise<T> {
  if (ctx.tx !== undefined) return change({ ...ctx, tx: ctx.tx });
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(ctx, change);
    } catch (error) {
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error;
      // Victims that come back in step would meet again
      await wait(Math.random() * 10 * 2 ** attempt);
    }
  }
}
