import { createHash } from 'node:crypto';
import { Op } from 'sequelize';
import type { AuthenticationResults } from '../mail/authentication.ts';
import { type ParsedMessage, parseMessage } from '../mail/parse-message.ts';
import { Message } from '../models/message.ts';
import type { Reason } from '../outbound/reasons.ts';
import type { Ctx, TxCtx } from '../runtime/context.ts';
import { addReceivedEntries, type LocalRecipient, readIds } from './entry-rows.ts';
import { insertRows } from './insert-rows.ts';
import { insertMessage } from './message-rows.ts';
import { retryOnDeadlock } from './retry-on-deadlock.ts';

export { addSentEntry, type LocalRecipient, type SentCopy } from './entry-rows.ts';
export { insertMessage, type MessageInput } from './message-rows.ts';

/*
 * blob durable -> parsed -> one transaction -> the caller may say 250 (D16)
 *
 * The blob comes first and the rows last: a crash in between leaves bytes that nobody refers to, never a message without
 * its bytes.
 */

/** A message that came in by SMTP, or that we report with. Its recipients were resolved before. */
export interface StoreInput {
  raw: AsyncIterable<Uint8Array> | Buffer;
  /** Empty for the null sender. */
  envelopeFrom: string;
  recipients: readonly LocalRecipient[];
  client: { address: string; helo: string; tls: boolean };
  authentication: AuthenticationResults | null;
  /** Header lines of ours (Return-Path, Received, Authentication-Results), CRLF after each. */
  traceHeaders: string;
  mailId: string;
}

/** Where a message is once it is committed. */
export interface StoreResult {
  messageId: string;
  /** The same message had been stored before and was not stored again. */
  duplicate: boolean;
  entryIds: string[];
}

interface Prepared {
  parsed: ParsedMessage;
  blob: { key: string; size: number };
  raw?: Buffer;
}

/** For how long a message that is offered again is recognised: senders retry for hours when our answer got lost. */
const DUPLICATE_WINDOW_MS = 24 * 3600 * 1000;

/**
 * Stores a message with an entry for each person among its recipients and a ledger row for each address. When it
 * returns, everything is durable. The same message again is answered like the first time and stored once.
 * @throws MessageTooComplex when it can't be parsed within our bounds; nothing was stored
 */
export async function storeInbound(ctx: Ctx, input: StoreInput): Promise<StoreResult> {
  if (input.recipients.length === 0) throw new Error('A message without recipients');
  const prepared = await prepare(ctx, input.raw);
  const dedupeKey = dedupeKeyOf(input, prepared);
  if (dedupeKey === null) return await commit(ctx, input, prepared, null);
  return await oneAtATime(
    dedupeKey,
    async () => (await findStored(ctx, dedupeKey)) ?? (await commit(ctx, input, prepared, dedupeKey)),
  );
}

/**
 * Gives a message of this host, stored already, to a person of this host, in the caller's transaction; answers the
 * entry's id. A person who has received it keeps the one entry.
 */
export async function deliverLocally(
  ctx: TxCtx,
  message: Pick<Message, 'id' | 'threadKey'>,
  recipient: LocalRecipient,
): Promise<string> {
  const had = (await readIds(ctx, message)).get(recipient.userId);
  if (had !== undefined) return had;
  const ids = await addReceivedEntries(ctx, message, [recipient]);
  return ids.get(recipient.userId) ?? '';
}

/** Bytes at hand are parsed first, so that what we refuse leaves no blob; a stream can only be read once. */
async function prepare({ app }: Ctx, raw: StoreInput['raw']): Promise<Prepared> {
  if (Buffer.isBuffer(raw)) {
    const parsed = await parseMessage(raw);
    return { parsed, blob: await app.blobs.put(raw), raw };
  }
  const blob = await app.blobs.put(raw);
  return { parsed: await parseMessage(app.blobs.get(blob.key)), blob };
}

async function commit(ctx: Ctx, input: StoreInput, prepared: Prepared, dedupeKey: string | null): Promise<StoreResult> {
  return await retryOnDeadlock(ctx, async (tx) => {
    const { mailId, envelopeFrom, traceHeaders, authentication } = input;
    const message = await insertMessage(tx, {
      ...prepared,
      mailId,
      envelopeFrom,
      traceHeaders,
      authentication,
      dedupeKey,
    });
    const entryIds = await addReceivedEntries(tx, message, input.recipients);
    await insertLedger(tx, input, message.id, entryIds);
    return { messageId: message.id, duplicate: false, entryIds: [...entryIds.values()] };
  });
}

async function insertLedger(
  ctx: TxCtx,
  { recipients, mailId, envelopeFrom }: StoreInput,
  messageId: string,
  entryIds: Map<string, string>,
): Promise<void> {
  const now = new Date();
  await insertRows(
    ctx,
    'deliveries',
    recipients.map(({ userId, companyId, address }) => ({
      company_id: companyId,
      message_id: messageId,
      mail_id: mailId,
      direction: 'in',
      recipient: address.slice(0, 320),
      recipient_domain: address.slice(address.lastIndexOf('@') + 1).slice(0, 255),
      envelope_from: envelopeFrom.slice(0, 320),
      state: 'stored',
      reason: 'stored_locally' satisfies Reason,
      entry_id: entryIds.get(userId) ?? null,
      created_at: now,
      updated_at: now,
    })),
  );
}

/**
 * What makes a repeat: sender, recipients, Message-ID and bytes. Without a Message-ID nothing says that two equal
 * messages are one, and losing one would be worse than showing both.
 */
function dedupeKeyOf({ envelopeFrom, recipients }: StoreInput, { parsed, blob }: Prepared): string | null {
  if (parsed.messageIdHeader === null) return null;
  const addresses = recipients.map(({ address, userId }) => `${address.toLowerCase()} ${userId}`).sort();
  const facts = JSON.stringify([envelopeFrom, addresses, parsed.messageIdHeader, blob.key]);
  return createHash('sha256').update(facts).digest('hex');
}

async function findStored(ctx: Ctx, dedupeKey: string): Promise<StoreResult | null> {
  const message = await Message.findOne({
    attributes: ['id'],
    where: { dedupeKey, createdAt: { [Op.gt]: new Date(Date.now() - DUPLICATE_WINDOW_MS) } },
    transaction: ctx.tx,
  });
  if (message === null) return null;
  const entryIds = [...(await readIds(ctx, message)).values()];
  return { messageId: String(message.id), duplicate: true, entryIds };
}

const inFlight = new Map<string, Promise<unknown>>();

/** A sender that lost patience may offer a message again while the first is still being stored. */
async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
  for (let other = inFlight.get(key); other !== undefined; other = inFlight.get(key)) await Promise.allSettled([other]);
  const own = work();
  inFlight.set(key, own);
  try {
    return await own;
  } finally {
    inFlight.delete(key);
  }
}
