import { readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import { openBlobsForReading } from '../mailstore/blob-store.ts';
import { hasOtherSize, readReferences } from '../mailstore/compare-blobs.ts';
import { neededKeys } from '../mailstore/report-damage.ts';
import type { Progress } from './progress.ts';

/** The result of the proof of a restored host. */
export interface HostProof {
  blobs: number;
  bytes: number;
  /** Keys of blobs that rows need and that are not there, or have another size. */
  missing: string[];
}

/**
 * Checks for every row that refers to a blob that the store has it, in the size that the row names.
 */
export async function proveRows(
  target: DatabaseTarget,
  directory: string,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<HostProof> {
  const blobs = openBlobsForReading(directory);
  const proof: HostProof = { blobs: 0, bytes: 0, missing: [] };
  for (let after = ''; ; ) {
    signal.throwIfAborted();
    const rows = await readReferences(target, after, 'g');
    const files = await Promise.all(rows.map(({ blobKey }) => blobs.stat(blobKey)));
    const bad: string[] = [];
    for (const [index, row] of rows.entries()) {
      const file = files[index];
      if (!file || hasOtherSize(row, file)) bad.push(row.blobKey);
      else {
        proof.blobs += 1;
        proof.bytes += file.size;
      }
    }
    proof.missing.push(...(await neededKeys(target, bad)));
    progress.at('blobs found', proof.blobs);
    const last = rows.at(-1);
    if (last === undefined) return proof;
    after = last.blobKey;
  }
}

/** How many rows a restored host has. */
export async function countRows(
  target: DatabaseTarget,
): Promise<{ companies: number; users: number; messages: number }> {
  const count = (table: string) => `(SELECT COUNT(*) FROM ${table}) AS ${table}`;
  const columns = ['companies', 'users', 'messages'].map(count).join(', ');
  const [row] = await readRows<{ companies: number; users: number; messages: number }>(target, `SELECT ${columns}`, []);
  return { companies: Number(row?.companies), users: Number(row?.users), messages: Number(row?.messages) };
}
