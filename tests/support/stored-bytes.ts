import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { avatarKey } from '@selvage/core/models/avatar-path';
import { QueryTypes } from 'sequelize';

/** Differences between the files of the store and the rows that refer to them. */
export interface StoreDifference {
  /** Files to which no row refers, including unfinished ones. */
  extra: string[];
  /** Keys in rows whose file is missing. */
  missing: string[];
}

/** Compares every file of the store with every row that refers to a file. */
export async function compareStore(app: App): Promise<StoreDifference> {
  const rows = await app.db.query<{ name: string }>(
    'SELECT blob_key AS name FROM messages UNION SELECT blob_key FROM draft_attachments UNION SELECT avatar FROM users',
    { type: QueryTypes.SELECT },
  );
  const wanted = new Set(rows.flatMap(({ name }) => avatarKey(name) ?? name ?? []));
  const files = new Set(await filesOf(app.config.blobStore.directory));
  const without = (keys: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...keys].filter((key) => !others.has(key));
  return { extra: without(files, wanted), missing: without(wanted, files) };
}

async function filesOf(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
}

/** The path of a blob's file, for tests that age it, damage it or write it themselves. */
export function blobPath({ config }: App, key: string): string {
  return join(config.blobStore.directory, key.slice(0, 2), key);
}
