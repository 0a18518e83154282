import type { Ctx, TxCtx } from '../context/context.ts';
import { noteCorrespondents } from '../directory/correspondents.ts';
import { deliverMessage } from '../jobs/deliver-message.ts';
import { addLedgerRows, type LedgerEntry } from '../ledger/add-ledger-rows.ts';
import { arrivalBy } from '../ledger/message-facts.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { headerDate } from '../mail/complete-headers.ts';
import type { NamedAddress } from '../mail/mailbox-text.ts';
import { addSentEntries } from '../mailstore/entry-rows.ts';
import { insertMessages } from '../mailstore/message-rows.ts';
import { requireFewScheduled } from './scheduled.ts';
import type { AcceptedSubmission, Submission, Submitted } from './submission.ts';

/** When a message leaves, and until when its sender can take it back. */
interface Timing {
  undoUntil: Date | null;
  isScheduled: boolean;
}

/**
 * Writes submissions in the caller's transaction, with one statement for each table: the messages,
 * their senders' copies and a delivery for each recipient. Returns the results in the order of the
 * items.
 */
export async function writeSubmissions(ctx: TxCtx, items: readonly AcceptedSubmission[]): Promise<Submitted[]> {
  const now = new Date();
  const timings = items.map(({ source }) => timingOf(source, now));
  const messages = await insertMessages(
    ctx,
    items.map(({ source, parsed, blob, raw, mailId, recipients }) => ({
      parsed,
      blob,
      raw,
      mailId,
      envelopeFrom: source.user.email,
      traceHeaders: traceHeader(ctx, source.door, mailId, source.sendAt ?? now),
      isForwarded: source.isForwarded ?? false,
      ledgerRows: recipients.length,
    })),
  );
  const placed = messages.flatMap((message, index) => {
    const item = items[index];
    const timing = timings[index];
    return item && timing ? [{ ...item, message, timing }] : [];
  });
  const entryIds = await addSentEntries(
    ctx,
    placed.map(({ message, source: { user }, bcc, timing: { undoUntil, isScheduled } }) => ({
      message,
      userId: String(user.id),
      companyId: String(user.companyId),
      bccList: bcc,
      deliveryState: undoUntil ? 'held' : 'queued',
      undoUntil,
      isScheduled,
    })),
  );
  // This check comes after the messages are written. If they were committed before and the answer
  // was lost, the insert must fail as a repeat before this limit can
  const scheduling = items.filter(({ source }) => source.sendAt !== undefined);
  for (const userId of new Set(scheduling.map(({ source }) => String(source.user.id)))) {
    await requireFewScheduled(ctx, userId);
  }
  const submitted = placed.map(({ message, mailId, timing }, index) => {
    return { entryId: entryIds[index] ?? '', messageId: String(message.id), mailId, ...timing };
  });
  await writeDeliveries(ctx, items, submitted, now);
  await noteCorrespondents(
    ctx,
    items.map((item) => {
      const { id, companyId } = item.source.user;
      return { userId: String(id), companyId: String(companyId), people: peopleOf(item), at: now };
    }),
  );
  return submitted;
}

function timingOf({ holdMs = 0, sendAt }: Submission, now: Date): Timing {
  const undoUntil = sendAt ?? (holdMs > 0 ? new Date(now.getTime() + holdMs) : null);
  return { undoUntil, isScheduled: sendAt !== undefined };
}

async function writeDeliveries(
  ctx: TxCtx,
  items: readonly AcceptedSubmission[],
  submitted: readonly Submitted[],
  now: Date,
): Promise<void> {
  const rows = items.flatMap((item, index) => {
    const own = submitted[index];
    return own ? deliveriesOf(item, own, now) : [];
  });
  await addLedgerRows(ctx, rows);
  // These rows are the queue. A worker that is woken before they are due learns when they will be
  ctx.tx.afterCommit(() => ctx.app.relay.wake(deliverMessage));
}

function deliveriesOf(
  { source: { user, door }, parsed: { messageIdHeader }, recipients, mailId }: AcceptedSubmission,
  { messageId, entryId, undoUntil, isScheduled }: Submitted,
  now: Date,
): LedgerEntry[] {
  const waiting = isScheduled ? 'scheduled' : 'held_for_undo';
  const arrival = arrivalBy({ helo: null, address: null, protocol: protocolOf(door), tls: null });
  return recipients.map((recipient) => ({
    companyId: String(user.companyId),
    messageId,
    mailId,
    direction: 'out',
    recipient,
    envelopeFrom: user.email,
    state: undoUntil ? 'held' : 'queued',
    reason: undoUntil ? waiting : 'accepted',
    nextAttemptAt: undoUntil ?? now,
    entryId,
    messageIdHeader,
    facts: { arrival, checks: null, placement: null },
  }));
}

/** The recipients, each with the name that the sender has given them. */
function peopleOf({ source: { called = [] }, parsed, recipients }: AcceptedSubmission): NamedAddress[] {
  const named = [...parsed.to, ...parsed.cc, ...called];
  const names = new Map(named.flatMap(({ name, address }) => (name === '' ? [] : [[normaliseAddress(address), name]])));
  return recipients.map((address) => ({ address, name: names.get(normaliseAddress(address)) ?? '' }));
}

/**
 * RFC 5321 4.4: each server adds a Received line. It leaves out the address of the person's device.
 * For a scheduled message it has the time at which the message leaves, as the Date field has: a
 * Date later than the first Received line looks forged to receivers.
 */
export function traceHeader(ctx: Ctx, door: Submission['door'], mailId: string, leavesAt: Date): string {
  return `Received: by ${ctx.app.config.hostname} with ${protocolOf(door)} id ${mailId};\r\n\t${headerDate(leavesAt)}\r\n`;
}

const protocolOf = (door: Submission['door']) => (door === 'web' ? 'HTTPS' : 'ESMTPSA');
