import type { BlobFile, BlobStore } from '../context/app.ts';
import type { Ctx } from '../context/context.ts';
import { restAfter } from '../sweeps/rest.ts';
import { readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import { workThrough } from '../sweeps/work-through.ts';
import { orphanBlobsRemoved } from '../metrics.ts';
import { avatarPath } from '../models/avatar-path.ts';
import { removeBlobIfUnreferenced } from './remove-blob.ts';
import { reportDamage } from './report-damage.ts';

/** The findings in one folder of the store. */
export interface FolderFindings {
  /** Blobs and rows that were compared. */
  compared: number;
  /** Blobs that nothing referred to and that were removed. */
  removed: number;
  /** Records whose bytes are missing, or have another size than they should. */
  damaged: number;
}

/** How to compare. */
export interface Comparing {
  /** Minimum age in milliseconds of a blob that may be removed: a blob is stored before its row. */
  orphanAgeMs: number;
  /** Ends the work between two pages. */
  signal?: AbortSignal;
}

const filesOfPage = 500;
const rowsOfPage = 2000;
const statsAtOnce = 16;

/**
 * Compares a folder of the store with the rows that refer to blobs in it, page by page. Removes
 * blobs without a row, reports rows without their bytes, and rests after each page.
 */
export async function compareFolder(ctx: Ctx, folder: string, comparing: Comparing): Promise<FolderFindings> {
  const findings = { compared: 0, removed: 0, damaged: 0 };
  const keys = await ctx.app.blobs.list(folder);
  // Sorts after every key of the folder
  const end = `${folder}g`;
  for (let [after, index] = [folder, 0]; after !== end; ) {
    const startedAt = performance.now();
    const last = keys.length > index + filesOfPage ? (keys[index + filesOfPage - 1] ?? end) : end;
    const rows = await readReferences(ctx, after, last);
    after = rows.length < rowsOfPage ? last : (rows.at(-1)?.blobKey ?? last);
    const limit = after;
    const page = keys.slice(index, index + filesOfPage).filter((key) => key <= limit);
    index += page.length;
    add(findings, await comparePage(ctx, { keys: page, rows }, comparing));
    await restAfter(startedAt, comparing.signal);
  }
  return findings;
}

function add(sum: FolderFindings, { compared, removed, damaged }: FolderFindings): void {
  sum.compared += compared;
  sum.removed += removed;
  sum.damaged += damaged;
}

/** A referenced key, with the smallest and the largest size that its rows name. */
export interface ReferencedKey {
  blobKey: string;
  least: number | null;
  most: number | null;
}

/** Up to 2000 referenced keys past `after` up to `last`, in their order. Avatars have no size. */
export async function readReferences(target: DatabaseTarget, after: string, last: string): Promise<ReferencedKey[]> {
  const part = (table: string, index: string) =>
    `(SELECT blob_key AS blobKey, MIN(size) AS least, MAX(size) AS most FROM ${table} FORCE INDEX (${index})
       WHERE blob_key > ? AND blob_key <= ? GROUP BY blob_key ORDER BY blob_key LIMIT ${rowsOfPage})`;
  return await readRows<ReferencedKey>(
    target,
    `SELECT blobKey, MIN(least) AS least, MAX(most) AS most FROM (
       ${part('messages', 'messages_blob')}
       UNION ALL ${part('draft_attachments', 'draft_attachments_blob')}
       UNION ALL (SELECT SUBSTRING(avatar, 17, 64), NULL, NULL FROM users FORCE INDEX (users_avatar)
         WHERE avatar > ? AND avatar <= ? GROUP BY avatar ORDER BY avatar LIMIT ${rowsOfPage})
     ) r GROUP BY blobKey ORDER BY blobKey LIMIT ${rowsOfPage}`,
    [after, last, after, last, avatarPath(after), avatarPath(last)],
  );
}

async function comparePage(
  ctx: Ctx,
  { keys, rows }: { keys: readonly string[]; rows: readonly ReferencedKey[] },
  comparing: Comparing,
): Promise<FolderFindings> {
  const { blobs } = ctx.app;
  const referenced = new Map(rows.map((row) => [row.blobKey, row]));
  const files = await statAll(blobs, keys);
  const orphans = [...files].filter(([key, file]) => !referenced.has(key) && isOld(file, comparing));
  const missing = rows.filter(({ blobKey }) => !files.has(blobKey));
  const truncated = rows.filter((row) => hasOtherSize(row, files.get(row.blobKey)));
  const damaged =
    (await reportDamage(ctx, 'missing', {
      keys: missing.map(({ blobKey }) => blobKey),
      isDamaged: async (key) => (await blobs.stat(key)) === null,
    })) +
    (await reportDamage(ctx, 'truncated', {
      keys: truncated.map(({ blobKey }) => blobKey),
      isDamaged: async (key) => hasOtherSize(referenced.get(key), await blobs.stat(key)),
    }));
  const removed = await removeOrphans(
    ctx,
    orphans.map(([key]) => key),
    comparing,
  );
  return { compared: files.size + missing.length, removed, damaged };
}

async function statAll(blobs: BlobStore, keys: readonly string[]): Promise<Map<string, BlobFile>> {
  const files = new Map<string, BlobFile>();
  for (let start = 0; start < keys.length; start += statsAtOnce) {
    const some = keys.slice(start, start + statsAtOnce);
    const found = await Promise.all(some.map((key) => blobs.stat(key)));
    for (const [index, key] of some.entries()) {
      const file = found[index];
      if (file) files.set(key, file);
    }
  }
  return files;
}

/** Says whether a file has another size than a row names. */
export function hasOtherSize(row: ReferencedKey | undefined, file: BlobFile | null | undefined): boolean {
  if (!row || !file || row.least === null || row.most === null) return false;
  return Number(row.least) !== file.size || Number(row.most) !== file.size;
}

/**
 * The age is absolute: a blob with a time far in the future was stored while the clock was ahead,
 * and would otherwise stay for as long. If its row is being written at this moment, that
 * transaction stores the blob again.
 */
function isOld({ putAt }: BlobFile, { orphanAgeMs }: Comparing): boolean {
  return Math.abs(Date.now() - putAt) > orphanAgeMs;
}

async function removeOrphans(ctx: Ctx, keys: readonly string[], comparing: Comparing): Promise<number> {
  const removeOne = async (key: string): Promise<boolean> => {
    // The same bytes may have been put again meanwhile
    const mayRemove = async () => {
      const file = await ctx.app.blobs.stat(key);
      return file !== null && isOld(file, comparing);
    };
    return (await removeBlobIfUnreferenced(ctx, key, mayRemove)) === 'removed';
  };
  const failure = 'bytes that nothing refers to could not be removed';
  const removed = await workThrough(keys, removeOne, { failure, signal: comparing.signal });
  orphanBlobsRemoved.inc(removed);
  return removed;
}
