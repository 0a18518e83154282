import { addReceivedEntriesOnce, type LocalRecipient } from '../mailstore/entry-rows.ts';
import { type Ctx, inTransaction } from '../context/context.ts';
import { log } from '../log.ts';
import { mailEvents } from '../metrics.ts';
import type { OutgoingMessage } from './claim-deliveries.ts';
import type { ClaimedDelivery } from './deliveries.ts';
import { settleDeliveries } from './settle-deliveries.ts';

/** A claimed delivery to a mailbox of this host. */
export interface LocalDelivery {
  delivery: ClaimedDelivery;
  recipient: LocalRecipient;
}

/**
 * Gives a message to mailboxes of this host. The entries and the end of the deliveries are one
 * transaction, so each person has the message exactly once, however often this is tried.
 */
export async function deliverLocally(
  ctx: Ctx,
  message: OutgoingMessage,
  local: readonly LocalDelivery[],
): Promise<void> {
  const remoteHost = ctx.app.config.hostname;
  const lastReply = `${remoteHost}: 250 2.1.5 stored`;
  const settled = local.map(({ delivery }) => ({
    delivery,
    state: 'stored' as const,
    reason: 'stored_locally' as const,
    lastReply,
    remoteHost,
  }));
  const stored = await inTransaction(ctx, async (tx) => {
    const written = await settleDeliveries(tx, settled);
    const own = local.filter(({ delivery }) => written.has(String(delivery.id)));
    await addReceivedEntriesOnce(
      tx,
      message,
      own.map(({ recipient }) => recipient),
    );
    return own;
  });
  for (const { delivery } of stored) {
    mailEvents.inc({ event: 'stored', reason: 'stored_locally' });
    log.info('message stored', { event: 'stored', mailId: delivery.mailId, reason: 'stored_locally' });
  }
}
