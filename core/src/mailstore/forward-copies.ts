import { consume } from '../access/rate-limit.ts';
import type { TxCtx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { deliverMessage } from '../jobs/deliver-message.ts';
import { addLedgerRows, type LedgerEntry } from '../ledger/add-ledger-rows.ts';

/** A message and the people whose inboxes it was put into. */
export interface Received {
  messageId: string;
  mailId: string;
  /** Empty for the null sender. */
  envelopeFrom: string;
  userIds: readonly string[];
}

/** A person who forwards their mail to an address that has agreed to it. */
interface Forwarder {
  userId: string;
  companyId: string;
  /** Address of the mailbox. */
  email: string;
  forwardTo: string;
}

/**
 * Queues a copy of received mail for each person who forwards theirs (D35), in the transaction that
 * stores it: the mailbox has the message if, and only if, the ledger has the copy. One query finds
 * the people who do.
 *
 * The forwarding person is the envelope sender of the copy, so that SPF of their domain holds and
 * reports reach them. What had the null sender keeps it, so that no report is ever made of a report
 * (RFC 5321 4.5.5).
 */
export async function forwardCopies(ctx: TxCtx, received: readonly Received[]): Promise<void> {
  const userIds = new Set(received.flatMap((one) => one.userIds));
  if (userIds.size === 0) return;
  const forwarders = await readRows<Forwarder>(
    ctx,
    `SELECT id AS userId, company_id AS companyId, email, forward_to AS forwardTo
       FROM users WHERE id IN (?) AND forward_confirmed_at IS NOT NULL`,
    [[...userIds]],
  );
  if (forwarders.length === 0) return;
  const byId = new Map(forwarders.map((one) => [String(one.userId), one]));
  const rows = received.flatMap((one) =>
    one.userIds.flatMap((userId) => {
      const forwarder = byId.get(userId);
      return forwarder ? [copyOf(one, forwarder)] : [];
    }),
  );
  await cancelTooMany(ctx, rows);
  await addLedgerRows(ctx, rows);
  ctx.tx.afterCommit(() => ctx.app.relay.wake(deliverMessage));
}

/** Copies of one person in an hour. Beyond them mail stays in the mailbox alone. */
const copiesPerHour = { limit: 1000, windowSeconds: 3600 };

/**
 * A stranger who floods a mailbox must not make this host flood another one. A copy that is not
 * made has its row in the ledger as well.
 */
async function cancelTooMany(ctx: TxCtx, rows: LedgerEntry[]): Promise<void> {
  const answers = await Promise.all(
    rows.map((row) => consume(ctx.app.redis, `forward:${row.forwardedFor}`, copiesPerHour)),
  );
  for (const [index, row] of rows.entries()) {
    if (answers[index]?.allowed) continue;
    Object.assign(row, { state: 'cancelled', reason: 'rate_limited', nextAttemptAt: null });
  }
}

function copyOf({ messageId, mailId, envelopeFrom }: Received, forwarder: Forwarder): LedgerEntry {
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
  };
}
