import { addReceivedEntriesOnce, type LocalRecipient } from '../mailstore/entry-rows.ts';
import { findFull } from '../mailstore/require-room.ts';
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
 * @returns the deliveries to mailboxes without room for it, which nothing was written about. Mail
 *   of the host itself, which has the null sender, always fits (D36)
 */
export async function deliverLocally(
  ctx: Ctx,
  message: OutgoingMessage,
  local: readonly LocalDelivery[],
): Promise<LocalDelivery[]> {
  const full = await withoutRoom(ctx, local, message.size);
  for (;;) {
    const found = await store(
      ctx,
      message,
      local.filter((one) => !full.includes(one)),
    );
    if (found.length === 0) return full;
    full.push(...found);
  }
}

async function withoutRoom(ctx: Ctx, local: readonly LocalDelivery[], bytes: number): Promise<LocalDelivery[]> {
  const bound = local.filter(({ delivery }) => delivery.envelopeFrom !== '');
  const full = await findFull(ctx, [...new Set(bound.map(({ recipient }) => recipient.userId))], bytes);
  return bound.filter(({ recipient }) => full.has(recipient.userId));
}

/** Mailboxes that other mail has filled since they were found to have room. */
class Filled extends Error {
  readonly deliveries: LocalDelivery[];

  constructor(deliveries: LocalDelivery[]) {
    super('mailboxes were filled meanwhile');
    this.deliveries = deliveries;
  }
}

/** Stores for all, or for none and answers those without room. */
async function store(ctx: Ctx, message: OutgoingMessage, local: readonly LocalDelivery[]): Promise<LocalDelivery[]> {
  try {
    await storeForAll(ctx, message, local);
    return [];
  } catch (error) {
    if (error instanceof Filled) return error.deliveries;
    throw error;
  }
}

async function storeForAll(ctx: Ctx, message: OutgoingMessage, local: readonly LocalDelivery[]): Promise<void> {
  if (local.length === 0) return;
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
    const full = await withoutRoom(tx, own, 0);
    if (full.length > 0) throw new Filled(full);
    return own;
  });
  for (const { delivery } of stored) {
    mailEvents.inc({ event: 'stored', reason: 'stored_locally' });
    log.info('message stored', { event: 'stored', mailId: delivery.mailId, reason: 'stored_locally' });
  }
}
