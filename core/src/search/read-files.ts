import { hostname } from 'node:os';
import { isThreadFailure } from '../content/task-thread.ts';
import type { Ctx } from '../context/context.ts';
import { log } from '../log.ts';
import type { EntryTexts, FilesTurn } from '../search-index/index-messages.ts';
import { readFileTexts } from './read-index-source.ts';

/*
 * The words of files are indexed after those of the messages. Strangers write these files, and a
 * small one can be made to cost a second. So no search and no other mail waits for them: a process
 * reads the files of one message at a time, the mailboxes take turns, and each has a share of a
 * minute.
 *
 * The indexes themselves store which files are unread. A list in Redis says which mailboxes have
 * such files. If entries of the list are lost, the sweep over all mailboxes adds them again.
 */

/** How much time of a minute the files of one mailbox may take, in milliseconds. */
const msPerMinute = 15_000;
/**
 * If a process dies while it reads the files of a mailbox, no other one reads them for this long.
 */
const turnMs = 60_000;

/** The mailboxes of this machine with unread files, by the time when they are due. */
const listKey = `search-files:${hostname()}`;

/**
 * Puts a mailbox on the list of those whose files must be read, unless it is on the list already.
 */
export async function queueFiles({ app }: Ctx, userId: string): Promise<void> {
  try {
    await app.redis.zadd(listKey, 'NX', Date.now(), userId);
  } catch (error) {
    log.warn('the files of a mailbox are read later', { userId, error });
  }
}

/**
 * Reads the files of one message of the mailbox that has waited longest.
 * @returns false when no mailbox is due
 */
export async function readDueFiles(ctx: Ctx): Promise<boolean> {
  const { redis, search } = ctx.app;
  const [userId] = await redis.zrangebyscore(listKey, '-inf', Date.now(), 'LIMIT', 0, 1);
  if (userId === undefined) return false;
  await redis.zadd(listKey, 'XX', Date.now() + turnMs, userId);
  const turn = await readNextFiles(ctx, userId, msPerMinute);
  // A later time puts it behind the other mailboxes
  if (turn.kind !== 'none') await redis.zadd(listKey, turn.kind === 'later' ? turn.at : Date.now(), userId);
  else {
    await redis.zrem(listKey, userId);
    // New unread files may have come since the index said that it has none
    if ((await search.run('state', { userId })).hasUnreadFiles) await queueFiles(ctx, userId);
  }
  return true;
}

/**
 * Reads the unread files of a mailbox, except for those that another process is reading, without a
 * limit of time.
 */
export async function readAllFiles(ctx: Ctx, userId: string): Promise<void> {
  while ((await readNextFiles(ctx, userId, Number.POSITIVE_INFINITY)).kind === 'entry');
}

async function readNextFiles(ctx: Ctx, userId: string, budget: number): Promise<FilesTurn> {
  const { search } = ctx.app;
  const turn = await search.run('takeFiles', { userId, budget: { now: Date.now(), msPerMinute: budget } });
  if (turn.kind === 'given_up') {
    log.warn('files of a message are not searched, since their reader failed each time', { userId, entryId: turn.id });
    return await readNextFiles(ctx, userId, budget);
  }
  if (turn.kind !== 'entry') return turn;
  const startedAt = performance.now();
  const texts = await readOrReturn(ctx, userId, turn.id);
  const spentMs = performance.now() - startedAt;
  await search.run('noteFiles', { userId, read: { id: turn.id, texts, spentMs, now: Date.now() } });
  return turn;
}

/**
 * Reads the files of an entry. A failure that they can't have caused, such as that of the database,
 * does not count as a try.
 */
async function readOrReturn(ctx: Ctx, userId: string, id: string): Promise<EntryTexts | null> {
  try {
    return await readFileTexts(ctx, id, `search:${userId}`);
  } catch (error) {
    if (!isThreadFailure(error)) await ctx.app.search.run('returnFiles', { userId, returned: { id, now: Date.now() } });
    throw error;
  }
}
