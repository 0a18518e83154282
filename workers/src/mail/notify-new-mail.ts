import { type NewEmailEvent, realtimeEvents } from '@selvage/core/contracts/realtime';
import { notifyNewMail } from '@selvage/core/jobs/notify-new-mail';
import { type Processor, processor } from '@selvage/core/jobs/processor';
import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import { readRows } from '@selvage/core/database/run-sql';
import { Emitter } from '@socket.io/redis-emitter';

/** The part of a Redis client that publishes. */
type Publisher = Pick<App['redis'], 'publish'>;

/**
 * Tells the open windows of each person that entries arrived. A window that opens later loads them
 * anyway.
 */
export function notifyNewMailProcessor(redis: Publisher): Processor {
  return processor(notifyNewMail, async (ctx, { entryIds }) => {
    const arrived = await readArrived(ctx, entryIds);
    await announce(redis, (emitter) => {
      for (const entry of arrived) emitter.to(`user:${entry.userId}`).emit(realtimeEvents.newEmail, eventOf(entry));
    });
  });
}

/**
 * Resolves when everything is published. The emitter itself drops the promises of Redis. A rejected
 * one, because Redis has just gone away, would then end the process.
 */
async function announce(redis: Publisher, emit: (emitter: Emitter) => void): Promise<void> {
  const published: Promise<unknown>[] = [];
  const collector = {
    publish: (channel: string, message: string) => void published.push(redis.publish(channel, message)),
  };
  emit(new Emitter(collector));
  await Promise.all(published);
}

interface Arrived {
  id: string;
  userId: string;
  fromName: string;
  fromAddress: string;
  subject: string;
}

/** Entries that were archived, trashed or deleted meanwhile need no notice. */
async function readArrived(ctx: Ctx, entryIds: readonly string[]): Promise<Arrived[]> {
  return await readRows<Arrived>(
    ctx,
    `SELECT e.id, e.user_id AS userId, m.from_name AS fromName, m.from_address AS fromAddress, m.subject
       FROM mailbox_entries e JOIN messages m ON m.id = e.message_id
      WHERE e.id IN (?) AND e.folder = 'inbox' ORDER BY e.id`,
    [entryIds],
  );
}

function eventOf({ id, fromName, fromAddress, subject }: Arrived): NewEmailEvent {
  return { sender_name: fromName || fromAddress, sender_email: fromAddress, entry_id: String(id), subject };
}
