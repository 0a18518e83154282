import { QueryTypes, type Sequelize, Transaction } from 'sequelize';
import { log } from '../log.ts';

/** A lock that the database server keeps. Databases that share a server share the names too. */
export interface NamedLock {
  /** At most 64 characters; case makes no difference. */
  name: string;
  /** How long to wait for its holder. */
  patienceSeconds: number;
  /** What is thrown when another process still holds it then. */
  refusal: () => Error;
}

/** Runs `fn` while it holds a lock. The lock ends with this process, however that ends. */
export async function withNamedLock<T>(sequelize: Sequelize, lock: NamedLock, fn: () => Promise<T>): Promise<T> {
  // The lock belongs to a connection, and the transaction keeps that connection
  const holder = await sequelize.transaction({ isolationLevel: Transaction.ISOLATION_LEVELS.READ_COMMITTED });
  try {
    await take(sequelize, holder, lock);
    return await fn();
  } finally {
    await giveBack(sequelize, holder, lock);
  }
}

async function take(
  sequelize: Sequelize,
  holder: Transaction,
  { name, patienceSeconds, refusal }: NamedLock,
): Promise<void> {
  const rows = await sequelize.query<{ taken: number | string | null }>(
    'SELECT GET_LOCK(:name, :patienceSeconds) AS taken',
    { replacements: { name, patienceSeconds }, transaction: holder, type: QueryTypes.SELECT },
  );
  if (Number(rows[0]?.taken) !== 1) throw refusal();
}

/**
 * Never throws: a connection that broke has lost the lock too, and the error that broke it is the
 * one to report.
 */
async function giveBack(sequelize: Sequelize, holder: Transaction, { name }: NamedLock): Promise<void> {
  try {
    await sequelize.query('SELECT RELEASE_LOCK(:name)', {
      replacements: { name },
      transaction: holder,
      type: QueryTypes.SELECT,
    });
    await holder.rollback();
  } catch (error) {
    log.warn('a lock was lost with its connection', { name, error });
  }
}
