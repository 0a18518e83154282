import { type NewEmailEvent, realtimeEvents } from '@selvage/core/contracts/realtime';
import { notifyNewMail } from '@selvage/core/jobs/notify-new-mail';
import { type Processor, processor } from '@selvage/core/jobs/processor';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { Emitter } from '@socket.io/redis-emitter';

/** What publishes: any client of Redis. */
type Publisher = ConstructorParameters<typeof Emitter>[0];

/** Tells a person's open windows that an entry arrived; those that are closed find it when they open. */
export function notifyNewMailProcessor(redis: Publisher): Processor {
  const emitter = new Emitter(redis);
  return processor(notifyNewMail, async (_ctx, { entryId }) => {
    const entry = await MailboxEntry.findByPk(entryId, { attributes: ['id', 'userId', 'messageId', 'folder'] });
    // Archived, trashed or gone meanwhile: the person knows
    if (!entry || entry.folder !== 'inbox') return;
    const message = await Message.findByPk(entry.messageId, { attributes: ['fromName', 'fromAddress', 'subject'] });
    if (!message) return;
    const event: NewEmailEvent = {
      sender_name: message.fromName || message.fromAddress,
      sender_email: message.fromAddress,
      entry_id: String(entry.id),
      subject: message.subject,
    };
    emitter.to(`user:${entry.userId}`).emit(realtimeEvents.newEmail, event);
  });
}
