import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { restAfter } from '../sweeps/rest.ts';
import { ownersIn, removeIndexesOf } from '../search-index/index-path.ts';
import { queueFiles } from './read-files.ts';
import { updateIndex } from './update-index.ts';

/**
 * The length of a slice of work. After each slice, the work rests for as long as the slice took.
 */
const sliceMs = 500;

/**
 * Brings the index of a mailbox up to date in the background, using half of one core at most. The
 * words of files are read afterwards.
 * @returns false when the time ran out before
 */
export async function keepIndex(
  ctx: Ctx,
  userId: string,
  { longestMs, signal }: { longestMs: number; signal: AbortSignal },
): Promise<boolean> {
  const end = performance.now() + longestMs;
  for (;;) {
    const startedAt = performance.now();
    const { isCurrent, state } = await updateIndex(ctx, userId, { deadline: startedAt + sliceMs, signal });
    const isOver = isCurrent || performance.now() >= end;
    if (isOver && state.hasUnreadFiles) await queueFiles(ctx, userId);
    if (isOver) return isCurrent;
    await restAfter(startedAt, signal);
  }
}

/** The next people after this one, by their ids, whose mailbox has mail in it. */
export async function mailboxesAfter(ctx: Ctx, userId: string, limit: number): Promise<string[]> {
  const rows = await readRows<{ userId: string }>(
    ctx,
    'SELECT DISTINCT user_id AS userId FROM folders WHERE user_id > ? AND total > 0 ORDER BY user_id LIMIT ?',
    [userId, limit],
  );
  return rows.map((row) => String(row.userId));
}

/** Removes the indexes of deleted people. Returns how many indexes. */
export async function removeLostIndexes({ app }: Ctx, signal?: AbortSignal): Promise<number> {
  const directory = app.config.searchDirectory;
  let removed = 0;
  for (const name of await foldersOf(directory)) {
    signal?.throwIfAborted();
    const folder = join(directory, name);
    const owners = ownersIn(folder);
    if (owners.length === 0) continue;
    const rows = await readRows<{ id: string }>({ app }, 'SELECT id FROM users WHERE id IN (?)', [owners]);
    const present = new Set(rows.map(({ id }) => String(id)));
    for (const owner of owners) if (!present.has(owner)) removed += removeIndexesOf(folder, owner);
  }
  return removed;
}

async function foldersOf(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => /^\d\d$/.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
