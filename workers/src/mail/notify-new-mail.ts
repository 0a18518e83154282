import { type NewEmailEvent, realtimeEvents } from '@selvage/core/contracts/realtime';
import { notifyNewMail } from '@selvage/core/jobs/notify-new-mail';
import { type Processor, processor } from '@selvage/core/jobs/processor';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import type { App } from '@selvage/core/context/app';
import { Emitter } from '@socket.io/redis-emitter';

/** The part of a Redis client that publishes. */
type Publisher = Pick<App['redis'], 'publish'>;

/**
 * Tells the open windows of each person that entries arrived. A window that opens later loads them
 * anyway.
 */
export function notifyNewMailProcessor(redis: Publisher): Processor {
  return processor(notifyNewMail, async (_ctx, { entryIds }) => {
    // Entries that were archived, trashed or deleted meanwhile need no notice
    const entries = await MailboxEntry.findAll({
      attributes: ['id', 'userId', 'messageId'],
      where: { id: entryIds, folder: 'inbox' },
      order: [['id', 'ASC']],
    });
    const messages = await Message.findAll({
      attributes: ['id', 'fromName', 'fromAddress', 'subject'],
      where: { id: [...new Set(entries.map(({ messageId }) => messageId))] },
    });
    const byId = new Map(messages.map((message) => [String(message.id), message]));
    await announce(redis, (emitter) => {
      for (const entry of entries) {
        const message = byId.get(String(entry.messageId));
        if (message) emitter.to(`user:${entry.userId}`).emit(realtimeEvents.newEmail, eventOf(entry, message));
      }
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

function eventOf(entry: MailboxEntry, message: Message): NewEmailEvent {
  return {
    sender_name: message.fromName || message.fromAddress,
    sender_email: message.fromAddress,
    entry_id: String(entry.id),
    subject: message.subject,
  };
}
