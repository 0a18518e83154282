import type { App } from '@selvage/core/context/app';
import { FairQueue } from '@selvage/core/fair-queue';

const queues = new WeakMap<App, FairQueue>();
const mostWaiting = 500;

/**
 * Runs work that reads whole messages into memory. So many run at once that the largest messages
 * take half of the memory for messages; the others wait, and people take turns.
 * @throws AppError 503 when too many wait
 */
export async function readMessages<T>(app: App, userId: string, work: () => Promise<T>): Promise<T> {
  let queue = queues.get(app);
  if (queue === undefined) {
    const { messageMemoryBytes, maxMessageBytes } = app.config;
    const atOnce = Math.max(1, Math.floor(messageMemoryBytes / 2 / maxMessageBytes));
    queue = new FairQueue({ atOnce, waiting: mostWaiting });
    queues.set(app, queue);
  }
  return await queue.run(userId, work);
}
