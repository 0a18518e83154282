import type { App } from '@selvage/core/context/app';
import { Outdated } from '@selvage/core/context/context';
import type { Transaction, TransactionOptions } from 'sequelize';
import { onTestFinished } from 'vitest';

type Work = (tx: Transaction) => Promise<unknown>;

/**
 * Rolls back the first transaction in which `isReached` holds at its end, as the database does in a
 * deadlock, so that it is run again. The returned function says whether that has happened.
 */
export function rollBackOnce(app: App, isReached: (tx: Transaction) => Promise<boolean>): () => boolean {
  const { db } = app;
  const begin = db.transaction.bind(db);
  let hasHappened = false;
  Object.assign(db, {
    transaction: (...args: [Work] | [TransactionOptions, Work]) => {
      const [options, work] = args.length === 1 ? [{}, args[0]] : args;
      return begin(options, async (tx) => {
        const result = await work(tx);
        if (hasHappened || !(await isReached(tx))) return result;
        hasHappened = true;
        throw new Outdated('as after a deadlock');
      });
    },
  });
  onTestFinished(() => void Object.assign(db, { transaction: begin }));
  return () => hasHappened;
}
