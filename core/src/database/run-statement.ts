import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2';
import { DatabaseError, QueryInterface, type Sequelize, type Transaction, UniqueConstraintError } from 'sequelize';
import { assertLibrary } from '../assert-library.ts';
import { log } from '../log.ts';

/** The database to ask, in the transaction if there is one. Every `Ctx` is one. */
export interface DatabaseTarget {
  app: { db: Sequelize };
  tx?: Transaction;
}

/** Properties of a Sequelize transaction that are not part of its public interface. */
interface OpenTransaction {
  connection: Connection;
  /** The outer transaction. With one, this would be a savepoint and no transaction of its own. */
  parent?: Transaction;
  finished?: 'commit' | 'rollback';
}

assertLibrary({
  name: 'sequelize',
  version: '6.37.8',
  from: import.meta.url,
  members: {
    startTransaction: 'startTransaction' in QueryInterface.prototype,
    commitTransaction: 'commitTransaction' in QueryInterface.prototype,
  },
});

const duplicateKey = 1062;
const deadlock = 1213;

/** What a statement answers: rows of a SELECT, or what an INSERT, UPDATE or DELETE has done. */
type Answer = RowDataPacket[] | ResultSetHeader;

/**
 * Runs one statement on the driver, on a connection of Sequelize's pool or of its transaction.
 * Sequelize's own `query` costs about as much processor time as all the rest of a short statement.
 * @throws UniqueConstraintError, or DatabaseError with the driver's error as its `parent`, as
 *   Sequelize does
 */
export async function runStatement<A extends Answer>({ app: { db }, tx }: DatabaseTarget, sql: string): Promise<A> {
  if (tx !== undefined) return await runInTransaction<A>(tx, sql);
  const connection = (await db.connectionManager.getConnection({ type: 'write' })) as Connection;
  try {
    return await send<A>(connection, sql);
  } catch (error) {
    throw asSequelizeError(error, sql);
  } finally {
    db.connectionManager.releaseConnection(connection);
  }
}

/** Runs one statement on the connection that `onOneConnection` keeps. */
export type RunStatement = <A extends Answer>(sql: string) => Promise<A>;

/** Runs `work` on a connection that no other work uses meanwhile, outside any transaction. */
export async function onOneConnection<T>(db: Sequelize, work: (run: RunStatement) => Promise<T>): Promise<T> {
  const connection = (await db.connectionManager.getConnection({ type: 'write' })) as Connection;
  try {
    return await work((sql) => send(connection, sql));
  } finally {
    db.connectionManager.releaseConnection(connection);
  }
}

async function runInTransaction<A extends Answer>(tx: Transaction, sql: string): Promise<A> {
  const open = tx as unknown as OpenTransaction;
  if (open.finished !== undefined) throw new Error(`the transaction is over (${open.finished}): ${sql.slice(0, 100)}`);
  try {
    return await send<A>(open.connection, sql);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).errno === deadlock) await endRolledBack(tx);
    throw asSequelizeError(error, sql);
  }
}

/**
 * After a deadlock the database has rolled the whole transaction back. A later statement would run
 * outside any transaction and take effect, so this ends the transaction.
 */
async function endRolledBack(tx: Transaction): Promise<void> {
  try {
    await tx.rollback();
  } catch (error) {
    log.debug('a rolled back transaction could not be ended', { error });
  }
}

/** The parts of Sequelize's query interface that begin and end a transaction. */
interface TransactionStatements {
  startTransaction(tx: Transaction): Promise<void>;
  commitTransaction(tx: Transaction): Promise<void>;
}

/**
 * Makes transactions begin and commit through the driver. Through Sequelize's own `query`, these
 * two statements cost more processor time than the rest of a short transaction.
 */
export function beginByDriver(sequelize: Sequelize): void {
  const statements = sequelize.getQueryInterface() as unknown as TransactionStatements;
  statements.startTransaction = async (tx) => {
    if ((tx as unknown as OpenTransaction).parent) throw new Error('a transaction has no other one inside');
    await sendPlainly(tx, 'START TRANSACTION');
  };
  statements.commitTransaction = (tx) => {
    const committed = sendPlainly(tx, 'COMMIT');
    // From now on, a statement would run outside the transaction
    (tx as unknown as OpenTransaction).finished = 'commit';
    return committed;
  };
}

async function sendPlainly(tx: Transaction, sql: string): Promise<void> {
  try {
    await send(connectionOf(tx), sql);
  } catch (error) {
    throw asSequelizeError(error, sql);
  }
}

/** Whether COMMIT was sent. If it then failed, the database may have carried it out. */
export function wasCommitSent(tx: Transaction): boolean {
  return (tx as unknown as OpenTransaction).finished === 'commit';
}

/** The connection on which a transaction runs. */
export function connectionOf(tx: Transaction): Connection {
  return (tx as unknown as OpenTransaction).connection;
}

function send<A extends Answer>(connection: Connection, sql: string): Promise<A> {
  return new Promise((resolve, reject) => {
    // Without null, mysql2 would search all of the statement for a place holder
    connection.query<A>(sql, null, (error, answer) => (error === null ? resolve(answer) : reject(error)));
  });
}

function asSequelizeError(error: unknown, sql: string): Error {
  const parent = Object.assign(error as Error & { errno?: number }, { sql });
  if (parent.errno === duplicateKey) return new UniqueConstraintError({ parent, message: parent.message, errors: [] });
  return new DatabaseError(parent);
}
