import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { blobFolders } from '@selvage/core/mailstore/blob-folders';
import { avatarKey } from '@selvage/core/models/avatar-path';
import { QueryTypes } from 'sequelize';

/** How the store and the rows that refer to it differ. */
export interface StoreDifference {
  /** Files that no row refers to, with those that are not finished. */
  extra: string[];
  /** Keys in rows without a file. */
  missing: string[];
}

/** Compares every file of the store with every row that refers to one. */
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
  const present = new Set(await readdir(directory));
  const lists = await Promise.all(
    [...blobFolders, 'tmp'].filter((name) => present.has(name)).map((name) => readdir(join(directory, name))),
  );
  return lists.flat();
}
