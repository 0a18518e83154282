import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';
import { testEnvironment } from '../support/test-app.ts';
import type { KeptHost } from './read-kept-host.ts';
import { keptFiles, keptSettings } from './kept-settings.ts';

/** The versions that are kept, the oldest first. */
export async function keptVersions(): Promise<string[]> {
  const entries = await readdir(import.meta.dirname, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }));
}

/** What a kept host must show after an upgrade. */
export async function expectedOf(version: string): Promise<KeptHost> {
  return JSON.parse(await readFile(keptFiles(version).expected, 'utf8')) as KeptHost;
}

/**
 * Puts the files of a kept version into a database and a data directory of the test's own; answers
 * the environment of the host.
 */
export async function loadKept(version: string): Promise<NodeJS.ProcessEnv> {
  const environment = await testEnvironment(keptSettings);
  const { dump, blobs } = keptFiles(version);
  await cp(blobs, join(environment['SELVAGE_DATA'] ?? '', 'blobs'), { recursive: true });
  await loadDump(environment['DATABASE_URL'] ?? '', await readFile(dump, 'utf8'));
  return environment;
}

async function loadDump(databaseUrl: string, statements: string): Promise<void> {
  const url = new URL(databaseUrl);
  const socketPath = url.searchParams.get('socket');
  const connection = await createConnection({
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    charset: 'utf8mb4',
    multipleStatements: true,
    ...(socketPath ? { socketPath } : { host: url.hostname, port: Number(url.port || 3306) }),
  });
  try {
    await connection.query("SET foreign_key_checks = 0, sql_mode = 'NO_AUTO_VALUE_ON_ZERO'");
    await connection.query(statements);
  } finally {
    await connection.end();
  }
}
