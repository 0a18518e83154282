import { type Ctx, inTransaction } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { log } from '../log.ts';
import { workOnStep } from './work-on-step.ts';

/** Conversations that one transaction recounts, with their folder locked. */
const batch = 200;

/** What the rows of a folder's conversations should be. `condition` limits it to some of them. */
const counted = (condition: string) => `
  SELECT folder_id, thread_key, id AS newest_id, arrived_at AS newest_at, entries AS total, unread, starred
    FROM (SELECT folder_id, thread_key, id, arrived_at,
                 COUNT(*) OVER (PARTITION BY thread_key) AS entries,
                 SUM(read_status = 0) OVER (PARTITION BY thread_key) AS unread,
                 SUM(star_status = 1) OVER (PARTITION BY thread_key) AS starred,
                 ROW_NUMBER() OVER (PARTITION BY thread_key ORDER BY arrived_at DESC, id DESC) AS place
            FROM mailbox_entries WHERE folder_id = ? ${condition}) e
   WHERE place = 1`;

/** Some of the conversations of a folder whose rows differ from a count. */
async function wrongThreads(ctx: Ctx, folderId: string): Promise<string[]> {
  const rows = await readRows<{ threadKey: string }>(
    ctx,
    `(SELECT n.thread_key AS threadKey FROM (${counted('')}) n
        LEFT JOIN folder_threads t ON t.folder_id = n.folder_id AND t.thread_key = n.thread_key
       WHERE t.total IS NULL OR t.total <> n.total OR t.unread <> n.unread OR t.starred <> n.starred
          OR t.newest_id <> n.newest_id OR t.newest_at <> n.newest_at LIMIT ${batch})
     UNION
     (SELECT t.thread_key FROM folder_threads t
       WHERE t.folder_id = ? AND NOT EXISTS (SELECT 1 FROM mailbox_entries e
                                              WHERE e.folder_id = t.folder_id AND e.thread_key = t.thread_key)
       LIMIT ${batch})`,
    [folderId, folderId],
  );
  return rows.map(({ threadKey }) => threadKey);
}

async function isCountTrue(ctx: Ctx, folderId: string): Promise<boolean> {
  const [row] = await readRows<{ isTrue: number }>(
    ctx,
    `SELECT f.threads = (SELECT COUNT(*) FROM folder_threads t WHERE t.folder_id = f.id) AS isTrue
       FROM folders f WHERE f.id = ?`,
    [folderId],
  );
  return Number(row?.isTrue ?? 1) === 1;
}

/** Whether the stored conversations of all folders of a person equal a count. */
export async function verifyThreads(ctx: Ctx, userId: string): Promise<boolean> {
  const folders = await readRows<{ id: string }>(ctx, 'SELECT id FROM folders WHERE user_id = ?', [userId]);
  for (const { id } of folders) {
    if ((await wrongThreads(ctx, String(id))).length > 0 || !(await isCountTrue(ctx, String(id)))) return false;
  }
  return true;
}

/**
 * Compares the conversations of the next hundred folders past `after` with a count, and corrects
 * wrong rows, in transactions that block the mail of a folder only briefly.
 * @returns how many conversations were wrong
 */
export async function mendThreads(ctx: Ctx, after: string, signal?: AbortSignal): Promise<number> {
  let mended = 0;
  const failure = 'the conversations of a folder could not be counted';
  await workOnStep(ctx, 'folders', { after, failure, signal }, async (id) => {
    mended += await mendFolder(ctx, id, signal);
  });
  return mended;
}

async function mendFolder(ctx: Ctx, folderId: string, signal?: AbortSignal): Promise<number> {
  let mended = 0;
  for (;;) {
    signal?.throwIfAborted();
    const keys = await wrongThreads(ctx, folderId);
    if (keys.length === 0 && (await isCountTrue(ctx, folderId))) return mended;
    log.error('the stored conversations of a folder were wrong and are corrected', { folderId, threads: keys.length });
    await rebuildThreads(ctx, folderId, keys);
    mended += Math.max(1, keys.length);
  }
}

async function rebuildThreads(ctx: Ctx, folderId: string, keys: readonly string[]): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await readRows(tx, 'SELECT id FROM folders WHERE id = ? FOR UPDATE', [folderId]);
    if (keys.length > 0) {
      await changeRows(tx, 'DELETE FROM folder_threads WHERE folder_id = ? AND thread_key IN (?)', [folderId, keys]);
      await changeRows(
        tx,
        `INSERT INTO folder_threads (folder_id, thread_key, newest_id, newest_at, total, unread, starred)
         ${counted('AND thread_key IN (?)')}`,
        [folderId, keys],
      );
    }
    await changeRows(
      tx,
      'UPDATE folders SET threads = (SELECT COUNT(*) FROM folder_threads t WHERE t.folder_id = ?) WHERE id = ?',
      [folderId, folderId],
    );
  });
}
