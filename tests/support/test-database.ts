import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';

/**
 * Makes an empty database on the engine of `databaseUrl`, with the collation that the private
 * database of a host has, and returns its URL.
 */
export async function createTestDatabase(databaseUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `selvage_test_${randomBytes(6).toString('hex')}`;
  await run(databaseUrl, `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return { url: url.toString(), drop: () => run(databaseUrl, `DROP DATABASE ${name}`) };
}

async function run(databaseUrl: string, statement: string): Promise<void> {
  const url = new URL(databaseUrl);
  const socketPath = url.searchParams.get('socket');
  const connection = await createConnection({
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    ...(socketPath ? { socketPath } : { host: url.hostname, port: Number(url.port || 3306) }),
  });
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}
