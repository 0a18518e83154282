import type { App } from '@selvage/core/context/app';

interface Connection {
  query(statement: string | { sql: string }, ...rest: unknown[]): unknown;
}

interface Pool {
  getConnection(options: unknown): Promise<Connection>;
}

/**
 * The SELECT statements that are sent to the database during some work, by models and by the
 * driver. Writes are left out, since a session is touched only once a minute. The test must run
 * nothing else at the same time.
 */
export async function queriesOf(app: App, work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const pool = app.db.connectionManager as unknown as Pool;
  const watched = new Map<Connection, Connection['query']>();
  const watch = (connection: Connection): void => {
    watched.set(connection, connection.query);
    const query = connection.query.bind(connection);
    connection.query = (statement, ...rest) => {
      const sql = typeof statement === 'string' ? statement : statement.sql;
      if (/^\s*SELECT\b/.test(sql)) statements.push(sql);
      return query(statement, ...rest);
    };
  };
  pool.getConnection = async (options) => {
    const connection = await Object.getPrototypeOf(pool).getConnection.call(pool, options);
    if (!watched.has(connection)) watch(connection);
    return connection;
  };
  try {
    await work();
  } finally {
    Reflect.deleteProperty(pool, 'getConnection');
    for (const [connection, query] of watched) connection.query = query;
  }
  return statements;
}

/**
 * How many different SELECT statements are sent during some work. A call that has taken over a
 * second finds its caller once more before it answers, by the same statements.
 */
export async function countQueries(app: App, work: () => Promise<unknown>): Promise<number> {
  return new Set(await queriesOf(app, work)).size;
}
