import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import type { Connection, RowDataPacket } from 'mysql2';
import type { Sequelize } from 'sequelize';

/** A step of the database's query plan. */
export interface PlanStep {
  table: string;
  type: string;
  key: string | null;
  /** What each part of the key is compared with. */
  ref: string | null;
  rows: string;
  Extra: string;
}

/**
 * A context that records the query plan of every statement outside a transaction, before it runs
 * the statement. So a statement that no longer finds anything has a plan as well.
 */
export function explaining(app: App): { ctx: Ctx; plans: PlanStep[][] } {
  const plans: PlanStep[][] = [];
  const manager = app.db.connectionManager;
  const getConnection = async (options: { type: 'write' }) => {
    const connection = (await manager.getConnection(options)) as Connection;
    // Called as by `runStatement`, which has put the values into the statement
    const query = (sql: string, values: null, done: Parameters<Connection['query']>[2]) => {
      connection.query<(PlanStep & RowDataPacket)[]>(`EXPLAIN ${sql}`, (_error, steps) => plans.push(steps));
      connection.query(sql, values, done);
    };
    return { query, connection };
  };
  const releaseConnection = (given: { connection: Connection }) => manager.releaseConnection(given.connection);
  const db = Object.create(app.db) as Sequelize;
  Object.assign(db, { connectionManager: { getConnection, releaseConnection } });
  return { ctx: systemContext({ ...app, db }), plans };
}
