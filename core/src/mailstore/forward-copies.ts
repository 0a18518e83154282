import { consumeWithin } from '../access/rate-limit.ts';
import type { TxCtx } from '../context/context.ts';
import { deliverMessage } from '../jobs/deliver-message.ts';
import { addLedgerRows, type LedgerEntry } from '../ledger/add-ledger-rows.ts';
import type { Forwarder } from './sort-mail.ts';

/** A message, and the people who have received it and forward it. */
export interface Received {
  messageId: string;
  messageIdHeader: string | null;
  mailId: string;
  /** Empty for the null sender. */
  envelopeFrom: string;
  forwarders: readonly Forwarder[];
}

/**
 * Queues a copy of received mail for each person who forwards theirs (D35), in the transaction that
 * stores it: the mailbox has the message if, and only if, the ledger has the copy.
 *
 * The forwarding person is the envelope sender of the copy, so that SPF of their domain passes and
 * bounces reach them. A message with the null sender keeps it, so that no bounce of a bounce is
 * ever made (RFC 5321 4.5.5).
 */
export async function forwardCopies(ctx: TxCtx, received: readonly Received[]): Promise<void> {
  const rows = received.flatMap((one) => one.forwarders.map((forwarder) => copyOf(one, forwarder)));
  if (rows.length === 0) return;
  await cancelTooMany(ctx, rows);
  await addLedgerRows(ctx, rows);
  ctx.tx.afterCommit(() => ctx.app.relay.wake(deliverMessage));
}

/** The most copies for one person in an hour. Further mail is not forwarded. */
export const copiesPerHour = { limit: 1000, windowSeconds: 3600 };

/**
 * Cancels copies beyond the limit: a stranger who floods one mailbox must not make this host flood
 * another one. A cancelled copy has a row in the ledger as well.
 */
async function cancelTooMany(ctx: TxCtx, rows: LedgerEntry[]): Promise<void> {
  const answers = await Promise.all(
    rows.map((row) => consumeWithin(ctx, `forward:${row.forwardedFor}`, copiesPerHour)),
  );
  for (const [index, row] of rows.entries()) {
    if (answers[index]?.allowed) continue;
    Object.assign(row, { state: 'cancelled', reason: 'rate_limited', nextAttemptAt: null });
  }
}

function copyOf({ messageId, messageIdHeader, mailId, envelopeFrom }: Received, forwarder: Forwarder): LedgerEntry {
  return {
    companyId: String(forwarder.companyId),
    messageId,
    mailId,
    direction: 'out',
    recipient: forwarder.forwardTo,
    envelopeFrom: envelopeFrom === '' ? '' : forwarder.email,
    state: 'queued',
    reason: 'accepted',
    nextAttemptAt: new Date(),
    forwardedFor: forwarder.email,
    messageIdHeader,
  };
}
