import { addReceivedEntryOnce, type LocalRecipient } from '../mailstore/entry-rows.ts';
import { Message } from '../models/message.ts';
import type { Delivery } from '../models/delivery.ts';
import { type Ctx, inTransaction } from '../context/context.ts';
import { log } from '../log.ts';
import { mailEvents } from '../metrics.ts';
import { endDelivery } from './deliveries.ts';

/**
 * Gives a message to a mailbox of this host. The entry and the end of the delivery are one
 * transaction, so the person has the message exactly once, however often this is tried.
 */
export async function deliverLocally(ctx: Ctx, delivery: Delivery, recipient: LocalRecipient): Promise<void> {
  const message = delivery.messageId ? await Message.findByPk(delivery.messageId) : null;
  if (!message) throw new Error('The message of a delivery is missing');
  const remoteHost = ctx.app.config.hostname;
  const isStored = await inTransaction(ctx, async (tx) => {
    const lastReply = `${remoteHost}: 250 2.1.5 stored`;
    const isOurs = await endDelivery(tx, delivery, 'stored', { reason: 'stored_locally', lastReply, remoteHost });
    if (isOurs) await addReceivedEntryOnce(tx, message, recipient);
    return isOurs;
  });
  if (!isStored) return;
  mailEvents.inc({ event: 'stored', reason: 'stored_locally' });
  log.info('message stored', { event: 'stored', mailId: delivery.mailId, reason: 'stored_locally' });
}
