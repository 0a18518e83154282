import { randomBytes } from 'node:crypto';
import { connectDatabase } from '@selvage/core/database/connect-database';
import { migrate } from '@selvage/core/database/migrate';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { until } from './until.ts';

/** Prefix of databases that test files share. */
const sharedPrefix = 'selvage_shared_';

/**
 * Makes an empty database on the engine of `databaseUrl`, with the collation that the private
 * database of a host has, and returns its URL.
 */
export async function createTestDatabase(
  databaseUrl: string,
  { isShared = false }: { isShared?: boolean } = {},
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `${isShared ? sharedPrefix : 'selvage_test_'}${randomBytes(6).toString('hex')}`;
  const onEngine = async (statement: string): Promise<void> => {
    await connected(engineOf(databaseUrl), (connection) => connection.query(statement));
  };
  await onEngine(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => onEngine(`DROP DATABASE ${name}`) };
}

/**
 * Waits until the workers of Vitest have dropped the databases that their files share. Vitest ends
 * the run without waiting for its workers.
 */
export async function untilSharedAreDropped(databaseUrl: string): Promise<void> {
  await until('the shared databases are dropped', () =>
    connected(engineOf(databaseUrl), async (connection) => {
      const [rows] = await connection.query<RowDataPacket[]>(`SHOW DATABASES LIKE '${sharedPrefix}%'`);
      return rows.length === 0;
    }),
  );
}

/** The URL of the engine, without a database name. */
function engineOf(databaseUrl: string): string {
  const engine = new URL(databaseUrl);
  engine.pathname = '';
  return engine.toString();
}

/**
 * Runs all migrations in a new database. Returns the statements that make the same tables at once,
 * with the rows that the migrations write. Every test file needs the tables, and the migrations
 * take a second.
 */
export async function describeSchema(databaseUrl: string): Promise<string> {
  const database = await createTestDatabase(databaseUrl);
  const db = connectDatabase(
    { databaseUrl: database.url, databasePool: 2, databaseTimeoutSeconds: 60 },
    { forSchema: true },
  );
  try {
    await migrate(db);
    return await connected(database.url, statementsOf);
  } finally {
    await db.close();
    await database.drop();
  }
}

async function statementsOf(database: Connection): Promise<string> {
  const statements: string[] = [];
  for (const table of await tablesOf(database)) {
    const [rows] = await database.query<RowDataPacket[]>(`SHOW CREATE TABLE ${table}`);
    statements.push(String(rows[0]?.['Create Table']).replace(/ AUTO_INCREMENT=\d+/, ''));
    const [written] = await database.query<RowDataPacket[]>(`SELECT * FROM ${table}`);
    for (const row of written) statements.push(database.format(`INSERT INTO ${table} SET ?`, [row]));
  }
  // A table may have a foreign key to a table that comes later
  return ['SET foreign_key_checks = 0', ...statements].join(';\n');
}

/**
 * Makes the tables of `describeSchema` in an empty database. Does nothing in a database with
 * tables.
 */
export async function makeTables(databaseUrl: string, schema: string): Promise<void> {
  await connected(databaseUrl, async (database) => {
    if ((await tablesOf(database)).length === 0) await database.query(schema);
  });
}

async function tablesOf(database: Connection): Promise<string[]> {
  const [rows] = await database.query<RowDataPacket[]>('SHOW TABLES');
  return rows.map((row) => String(Object.values(row)[0]));
}

async function connected<T>(databaseUrl: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const url = new URL(databaseUrl);
  const socketPath = url.searchParams.get('socket');
  const database = url.pathname.slice(1);
  const connection = await createConnection({
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    ...(database ? { database } : {}),
    ...(socketPath ? { socketPath } : { host: url.hostname, port: Number(url.port || 3306) }),
    multipleStatements: true,
    dateStrings: true,
  });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
