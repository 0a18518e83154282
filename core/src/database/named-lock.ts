import { format, type RowDataPacket } from 'mysql2';
import type { Sequelize } from 'sequelize';
import { log } from '../log.ts';
import { onOneConnection, type RunStatement } from './run-statement.ts';

/** Shorter than the time after which servers close an idle connection, often a minute or more. */
const usualKeepMs = 20_000;

/** A lock that the database server keeps. Databases that share a server share the names too. */
export interface NamedLock {
  /** At most 64 characters; case makes no difference. */
  name: string;
  /** How long to wait for the current holder. */
  patienceSeconds: number;
  /** Makes the error that is thrown when another process still holds the lock then. */
  refusal: () => Error;
  /** How often the connection of the lock sends a statement, so that the server keeps it open. */
  keepMs?: number;
}

/**
 * Runs `fn` while it holds a lock. The lock belongs to a connection, so it ends with this process,
 * even when that crashes. No transaction is open meanwhile, since servers end idle transactions.
 */
export async function withNamedLock<T>(sequelize: Sequelize, lock: NamedLock, fn: () => Promise<T>): Promise<T> {
  return await onOneConnection(sequelize, async (run) => {
    await take(run, lock);
    const timer = setInterval(() => void keep(run, lock), lock.keepMs ?? usualKeepMs);
    try {
      return await fn();
    } finally {
      clearInterval(timer);
      await giveBack(run, lock);
    }
  });
}

async function take(run: RunStatement, { name, patienceSeconds, refusal }: NamedLock): Promise<void> {
  const statement = format('SELECT GET_LOCK(?, ?) AS taken', [name, patienceSeconds]);
  const [row] = await run<(RowDataPacket & { taken: number | string | null })[]>(statement);
  if (Number(row?.taken) !== 1) throw refusal();
}

async function keep(run: RunStatement, { name }: NamedLock): Promise<void> {
  try {
    await run('DO 1');
  } catch (error) {
    log.warn('a lock was lost with its connection', { name, error });
  }
}

/**
 * Never throws: a connection that broke has lost the lock too, and the error that broke it is the
 * one to report.
 */
async function giveBack(run: RunStatement, { name }: NamedLock): Promise<void> {
  try {
    await run(format('DO RELEASE_LOCK(?)', [name]));
  } catch (error) {
    log.warn('a lock was lost with its connection', { name, error });
  }
}
