import { loadConfig } from '@selvage/core/process/config';
import mysql from 'mysql2/promise';

/** Access to the database of a private stack. */
export interface StackDatabase {
  /** The first column of the first row, as text. */
  one(sql: string, values?: string[]): Promise<string>;
  /** Runs a statement that returns no rows. */
  run(sql: string): Promise<void>;
  /** How many statements the engine has run so far. */
  statements(): Promise<number>;
  close(): Promise<void>;
}

export async function openStackDatabase(environment: NodeJS.ProcessEnv): Promise<StackDatabase> {
  const url = new URL(loadConfig(environment).databaseUrl);
  const socketPath = url.searchParams.get('socket');
  const connection = await mysql.createConnection({
    ...(socketPath ? { socketPath } : { host: url.hostname, port: Number(url.port || 3306) }),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
  });
  const one = async (sql: string, values: string[] = []): Promise<string> => {
    const [[row]] = await connection.query<mysql.RowDataPacket[]>(sql, values);
    return Object.values(row ?? {}).join();
  };
  return {
    one,
    run: async (sql) => {
      await connection.query(sql);
    },
    statements: async () => Number(/(\d+)$/.exec(await one("SHOW GLOBAL STATUS LIKE 'Questions'"))?.[1]),
    close: () => connection.end(),
  };
}
