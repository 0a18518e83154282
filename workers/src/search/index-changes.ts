import { hostname } from 'node:os';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { pause } from '@selvage/core/pause';
import { hearChanges } from '@selvage/core/mailstore/change-feed';
import { createRedis } from '@selvage/core/process/create-redis';
import { keepIndex } from '@selvage/core/search/keep-indexes';

/** Mail that comes soon after other mail is indexed together with it, which is cheaper. */
const gatherMs = 5000;
/**
 * After each piece of work the loop rests this many times as long as the piece took, but not longer
 * than the longest rest. So small changes take a quarter of the time at most. A large mailbox that
 * is indexed anew takes more.
 */
const restFor = 3;
const longestRestMs = 5000;
/** How long one mailbox may hold up the others. */
const longestMs = 10_000;
/** How long a process that died keeps its turn with a mailbox. */
const turnMs = 30_000;

/** Follows the changes of mailboxes. */
export interface ChangeIndexer {
  close(): Promise<void>;
}

/**
 * Indexes mailboxes soon after they have changed, so that a search finds the index up to date. All
 * worker processes hear of a change, and one process on each machine takes the turn with the
 * mailbox. A missed change is indexed by the sweep over all mailboxes, or by the next search in the
 * mailbox.
 */
export function startChangeIndexer(app: App): ChangeIndexer {
  const ended = new AbortController();
  const subscriber = createRedis(app.config, { role: 'worker' });
  /** When each mailbox that has changed is due, by `performance.now()`. */
  const due = new Map<string, number>();
  void hearChanges(subscriber, (notices) => {
    for (const { userId } of notices) if (!due.has(userId)) due.set(userId, performance.now() + gatherMs);
  }).catch((error: unknown) => {
    if (!ended.signal.aborted) log.warn('could not subscribe to mailbox changes', { error });
  });
  const loop = indexDue(app, due, ended.signal);
  return {
    close: async () => {
      ended.abort();
      subscriber.disconnect();
      await loop;
    },
  };
}

async function indexDue(app: App, due: Map<string, number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // In the order in which they changed
    const [userId, at] = due.entries().next().value ?? ['', performance.now() + gatherMs];
    const waitMs = at - performance.now();
    if (waitMs > 0) {
      await pause(Math.min(waitMs, 1000), signal);
      continue;
    }
    due.delete(userId);
    const startedAt = performance.now();
    await takeTurn(app, userId, signal);
    // On a busy host changes wait longer. A search first indexes what is still missing
    await pause(Math.min(longestRestMs, restFor * (performance.now() - startedAt)), signal);
  }
}

async function takeTurn(app: App, userId: string, signal: AbortSignal): Promise<void> {
  const key = `search-turn:${hostname()}:${userId}`;
  try {
    if ((await app.redis.set(key, process.pid, 'PX', turnMs, 'NX')) === null) return;
    try {
      await keepIndex(systemContext(app), userId, { longestMs, signal });
    } finally {
      await app.redis.del(key);
    }
  } catch (error) {
    if (!signal.aborted) log.warn('a mailbox could not be indexed', { userId, error });
  }
}
