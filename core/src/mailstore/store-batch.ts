import type { AuthenticationResults } from '../mail/authenticate-message.ts';
import type { StorableSummary } from '../mail/parsed-message.ts';
import { addLedgerRows, addRowCounts, type LedgerEntry } from '../ledger/add-ledger-rows.ts';
import type { Facts } from '../ledger/message-facts.ts';
import type { TxCtx } from '../context/context.ts';
import { arrivalOf } from '../trace/arrival.ts';
import { forwardCopies } from './forward-copies.ts';
import { addReceivedEntries, type Destination, type LocalRecipient } from './entry-rows.ts';
import { asRepeat, findStored, keyOfToday, type Repeated } from './find-repeats.ts';
import { insertMessages, type MessageInput, type StoredMessage } from './message-rows.ts';
import { requireRoomForEach } from './require-room.ts';
import { sortMail, type Unsorted } from './sort-mail.ts';

/** A message that came in by SMTP, or a report of the host. Its recipients are resolved. */
export interface StoreInput {
  raw: Buffer;
  /** Empty for the null sender. */
  envelopeFrom: string;
  recipients: readonly LocalRecipient[];
  client: { address: string; helo: string; tls: boolean };
  authentication: AuthenticationResults | null;
  /**
   * The host's own header lines (Return-Path, Received, Authentication-Results), each with its
   * CRLF.
   */
  traceHeaders: string;
  mailId: string;
  /**
   * Mail of the host itself, such as a report: it fits into a mailbox that is full (D36), and is
   * not forwarded, since a report may be about a copy that could not be.
   */
  isOwn?: boolean;
  /** The message goes to Junk: it failed DMARC, and its domain's policy asks for that (D46). */
  isJunk?: boolean;
}

/** The result for a message, once it is committed. */
export interface StoreResult {
  messageId: string;
  /** The same message was stored before, and was not stored again. */
  duplicate: boolean;
  entryIds: string[];
}

/** A message that is parsed and whose blob is durable. */
export interface Prepared {
  parsed: StorableSummary;
  blob: { key: string; size: number };
  raw: Buffer;
}

/** One message of a batch. */
export interface InboundItem {
  input: StoreInput;
  prepared: Prepared;
  /**
   * Identifies repeats of the message; no two items of a batch have the same key. Null when repeats
   * of the message can't be recognised.
   */
  dedupeKey: string | null;
  causeId: string | null;
}

/**
 * Writes messages in the caller's transaction, with one statement for each table. Returns the
 * results in the order of the items.
 * @throws AppError `mailbox_full` when no recipient of one of them has room for it
 */
export async function storeBatch(ctx: TxCtx, items: readonly InboundItem[]): Promise<StoreResult[]> {
  const stored = await findStored(
    ctx,
    items.flatMap(({ dedupeKey }) => dedupeKey ?? []),
  );
  const fresh = items.filter(({ dedupeKey }) => dedupeKey === null || !stored.has(dedupeKey));
  const written = fresh.length === 0 ? [] : await writeFresh(ctx, fresh);
  // This transaction has locked the folders by now, so of two messages that arrive at once, the
  // check of the second one counts the first
  await requireRoomForEach(
    ctx,
    fresh.map(({ input, prepared }) => ({ ...input, storedBytes: prepared.blob.size })),
    0,
  );
  await noteRepeats(ctx, items, stored);
  const results = new Map(fresh.map((item, index) => [item, written[index]]));
  return items.map((item) => {
    const earlier = stored.get(item.dedupeKey ?? '');
    const result = results.get(item) ?? (earlier && resultOf(item.input, earlier));
    if (result === undefined) throw new Error('a message of a batch has no result');
    return result;
  });
}

/**
 * The result for a message that is stored already. If the stored message has the same mail id, it
 * is no repeat: the caller writes the message again because the answer to its commit was lost.
 */
export function resultOf({ mailId }: StoreInput, { messageId, mailId: firstId, entryIds }: Repeated): StoreResult {
  return { messageId, duplicate: mailId !== firstId, entryIds };
}

async function writeFresh(ctx: TxCtx, items: readonly InboundItem[]): Promise<StoreResult[]> {
  const sorted = await sortMail(ctx, items.map(unsorted));
  const messages = await insertOnce(
    ctx,
    items.map(({ input, prepared, dedupeKey }, index) => {
      const { mailId, envelopeFrom, traceHeaders, authentication, recipients } = input;
      const ledgerRows = recipients.length + (sorted[index]?.forwarders.size ?? 0);
      const key = dedupeKey && keyOfToday(dedupeKey);
      return { ...prepared, mailId, envelopeFrom, traceHeaders, authentication, dedupeKey: key, ledgerRows };
    }),
  );
  const placed = messages.flatMap((message, index) => {
    const item = items[index];
    const messageIdHeader = item?.prepared.parsed.messageIdHeader ?? null;
    return item === undefined ? [] : [{ message, messageIdHeader, input: item.input }];
  });
  const ids = await addReceivedEntries(
    ctx,
    placed.map(({ message, input: { recipients, envelopeFrom } }, index) => ({
      message,
      recipients,
      destinations: sorted[index]?.destinations,
      // The null sender asks for no answer
      away: envelopeFrom === '' ? undefined : sorted[index]?.away,
    })),
    // A batch of several messages has no single cause
    items.length === 1 ? (items[0]?.causeId ?? null) : null,
  );
  const ledger = placed.flatMap(({ message: { id: messageId }, messageIdHeader, input }, index) =>
    ledgerEntries(input, {
      messageId,
      messageIdHeader,
      entryIds: ids[index],
      destinations: sorted[index]?.destinations,
    }),
  );
  await addLedgerRows(ctx, ledger);
  await forwardCopies(
    ctx,
    placed.map(({ message, messageIdHeader, input: { mailId, envelopeFrom } }, index) => {
      const forwarders = [...(sorted[index]?.forwarders.values() ?? [])];
      return { messageId: message.id, messageIdHeader, mailId, envelopeFrom, forwarders };
    }),
  );
  return placed.map(({ message }, index) => ({
    messageId: message.id,
    duplicate: false,
    entryIds: [...(ids[index]?.values() ?? [])],
  }));
}

/**
 * Another process may be storing the same message. Then this insert waits for the end of that
 * transaction, and fails. The caller's transaction is run again, and finds a repeat.
 */
async function insertOnce(ctx: TxCtx, messages: readonly MessageInput[]): Promise<StoredMessage[]> {
  try {
    return await insertMessages(ctx, messages);
  } catch (error) {
    throw asRepeat(error);
  }
}

function unsorted({ input, prepared: { parsed } }: InboundItem): Unsorted {
  const { recipients, authentication, isOwn, isJunk } = input;
  const { from, to, cc, subject, list } = parsed;
  const letter = {
    fromName: from?.name ?? '',
    fromAddress: from?.address ?? '',
    to: [...to, ...cc].map(({ name, address }) => `${name} <${address}>`),
    subject,
    listId: list.id,
  };
  return {
    letter: isOwn ? null : letter,
    recipients,
    quarantinedBy: isJunk ? (authentication?.dmarc.domain ?? '') : null,
  };
}

/**
 * Adds ledger rows for repeats. The sender of a repeat gets the same answer as the first time, so
 * each recipient has a row, which names the first message.
 */
async function noteRepeats(
  ctx: TxCtx,
  items: readonly InboundItem[],
  stored: ReadonlyMap<string, Repeated>,
): Promise<void> {
  const repeats = items.flatMap(({ input, prepared, dedupeKey }) => {
    const first = dedupeKey === null ? undefined : stored.get(dedupeKey);
    const { messageIdHeader } = prepared.parsed;
    return first && resultOf(input, first).duplicate
      ? ledgerEntries(input, { messageId: first.messageId, messageIdHeader, reason: 'duplicate' })
      : [];
  });
  if (repeats.length === 0) return;
  await addLedgerRows(ctx, repeats);
  const byMessage = Map.groupBy(repeats, ({ messageId }) => messageId ?? '');
  await addRowCounts(ctx, new Map([...byMessage].map(([id, rows]) => [id, rows.length])));
}

interface Accepted {
  messageId: string;
  messageIdHeader: string | null;
  reason?: 'stored_locally' | 'duplicate';
  /** By user id; none for a repeat. */
  entryIds?: ReadonlyMap<string, string> | undefined;
  /** Where the message was put, by user id. */
  destinations?: ReadonlyMap<string, Destination> | undefined;
}

function ledgerEntries(input: StoreInput, accepted: Accepted): LedgerEntry[] {
  const { mailId, envelopeFrom, authentication } = input;
  const { messageId, messageIdHeader, reason = 'stored_locally', entryIds, destinations } = accepted;
  const facts: Facts = { arrival: arrivalOf(input.traceHeaders), checks: authentication, placement: null };
  return input.recipients.map(({ userId, companyId, address, expansion }) => ({
    companyId,
    messageId,
    mailId,
    direction: 'in',
    recipient: address,
    envelopeFrom,
    state: 'stored',
    reason,
    entryId: entryIds?.get(userId) ?? null,
    expansion: expansion ?? null,
    messageIdHeader,
    facts: { ...facts, placement: destinations?.get(userId)?.placement ?? null },
  }));
}
