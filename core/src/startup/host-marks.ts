import { join } from 'node:path';
import type { App } from '../context/app.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import { readHostMarks, writeKeyMark, writeStoreName } from '../environment/host-state.ts';
import { log } from '../log.ts';
import { nameDirectory, nameFile, readDirectoryName } from '../mailstore/directory-name.ts';
import { OperatorError } from '../operator-error.ts';
import type { Config } from '../process/config.ts';

/**
 * Compares the secret key and the blob store with those that the database was used with. The first
 * start notes them, and so does the first start after an upgrade.
 * @throws OperatorError when one of them is another one
 */
export async function requireOwnMarks({ app }: { app: App }): Promise<void> {
  const { config, secrets } = app;
  const marks = await readHostMarks({ app });
  const keyMark = secrets.key('host-mark').toString('hex');
  if (marks.keyMark !== keyMark) {
    if (marks.keyMark !== null && !config.acceptsNewKey) throw otherKey(config);
    await writeKeyMark({ app }, keyMark);
  }
  if (marks.storeName === null) await noteStore({ app });
  else refuseOtherName(config, marks.storeName);
}

/** On a disk that is full or can only be read, the store gets its name at a later start. */
async function noteStore({ app }: { app: App }): Promise<void> {
  const { directory } = app.config.blobStore;
  const name = await nameDirectory(directory).catch((error: unknown) => {
    log.warn('the blob store has no name yet', { directory, error });
    return null;
  });
  if (name !== null) await writeStoreName({ app }, name);
}

/**
 * @throws OperatorError when the blob store is not the one that the database was used with, such as
 *   an empty directory where its disk is not mounted
 */
export async function refuseOtherStore(target: DatabaseTarget, config: Config): Promise<void> {
  const { storeName } = await readHostMarks(target);
  if (storeName !== null) refuseOtherName(config, storeName);
}

function refuseOtherName({ blobStore: { directory } }: Config, storeName: string): void {
  if (readDirectoryName(directory) === storeName) return;
  throw new OperatorError(
    `${directory} is not the blob store of this database, in which the mail of the host is. Is its disk mounted, and is SELVAGE_DATA or BLOB_STORE right? If the mail is there, write ${storeName} into ${join(directory, nameFile)}.`,
  );
}

function otherKey({ source, dataDir }: Config): OperatorError {
  const place =
    source.given['SELVAGE_SECRET_KEY'] === undefined ? join(dataDir, 'secrets/secret-key') : 'SELVAGE_SECRET_KEY';
  return new OperatorError(
    `${place} is not the secret key of this database, so the host could sign no mail and check no second factor. Is SELVAGE_DATA right, and its disk mounted? If the key is lost, a backup has it in files/secrets/secret-key; without one, see "When a start finds another key or no mail" in ops/docs/BACKUPS.md.`,
  );
}
