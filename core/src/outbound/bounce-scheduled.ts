import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import type { Reason } from '../ledger/reasons.ts';
import { changeEntries } from '../mailstore/change-entries.ts';
import { Delivery } from '../models/delivery.ts';
import { MailboxEntry } from '../models/mailbox-entry.ts';
import { dropReminder } from './answer-reminders.ts';
import { newClaimId } from './deliveries.ts';
import { recordWithin } from './record-attempt.ts';

/**
 * Ends a scheduled message that its sender may not send and that can't become a draft, since its
 * bytes are lost or too complex to read. It goes to Sent as undelivered, and its sender gets a
 * report as for any other undelivered message.
 * @returns false when another worker, or its sender, was sooner
 */
export async function bounceScheduled(ctx: Ctx, entryId: string, reason: Reason): Promise<boolean> {
  return await inTransaction(ctx, async (tx) => {
    const entry = await MailboxEntry.findByPk(entryId, { lock: true, transaction: tx.tx });
    if (!entry?.scheduledStatus) return false;
    const owner = { companyId: String(entry.companyId), userId: String(entry.userId) };
    const shown = { scheduledStatus: false, sendStatus: true, undoUntil: null, arrivedAt: new Date() };
    const transfer = await claim(tx, entryId);
    await changeEntries(tx, { ...owner, entries: [entry] }, shown);
    await dropReminder(tx, entryId);
    const result = { kind: 'refused', reason, lastReply: null, remoteHost: null } as const;
    await recordWithin(tx, [transfer.map((delivery) => ({ delivery, result }))]);
    return true;
  });
}

/** A delivery can only be recorded as failed under a claim. */
async function claim(ctx: TxCtx, entryId: string) {
  const claimId = newClaimId();
  const where = { entryId, direction: 'out', state: 'held', reason: 'scheduled' } as const;
  const rows = await Delivery.findAll({ where, lock: true, transaction: ctx.tx });
  await Delivery.update({ claimId }, { where, transaction: ctx.tx });
  return rows.map((row) => ({ ...row.get(), claimId }));
}
