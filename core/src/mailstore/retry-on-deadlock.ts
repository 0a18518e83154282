import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseError } from 'sequelize';
import { type Ctx, inTransaction, type TxCtx } from '../runtime/context.ts';

/** Deadlock, and "record has changed since last read" of a MariaDB with snapshot isolation: nothing is wrong but the moment. */
const startAgain = new Set([1213, 1020]);

const ATTEMPTS = 6;

/**
 * Runs `change` in a transaction, and again from the start when the engine took it back in favour of another. Inside a
 * transaction of the caller it runs once: only the one who began can start again.
 */
export async function retryOnDeadlock<T>(ctx: Ctx, change: (ctx: TxCtx) => Promise<T>): Promise<T> {
  if (ctx.tx !== undefined) return await inTransaction(ctx, change);
  return await retryWhenTakenBack(() => inTransaction(ctx, change));
}

/** The same for a transaction that `run` begins itself. */
export async function retryWhenTakenBack<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !wasTakenBack(error)) throw error;
      // Victims that come back in step would meet again
      await wait(Math.random() * 10 * 2 ** attempt);
    }
  }
}

function wasTakenBack(error: unknown): boolean {
  if (!(error instanceof DatabaseError) || !('errno' in error.original)) return false;
  return typeof error.original.errno === 'number' && startAgain.has(error.original.errno);
}
