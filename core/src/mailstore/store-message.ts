import { hash } from 'node:crypto';
import { causeOf } from '../jobs/enqueue.ts';
import { blockOf } from '../access/network-of.ts';
import type { App } from '../context/app.ts';
import { mayBeCommitted } from '../database/database-errors.ts';
import { groupWorkOf } from '../database/group-work.ts';
import { type Ctx, inTransaction, systemContext, type TxCtx } from '../context/context.ts';
import { KeyedLock } from '../keyed-lock.ts';
import { findOwn, wereBytesStored } from './find-repeats.ts';
import { putBlob } from './put-blob.ts';
import { removeUnneededBlob } from './remove-blob.ts';
import { noRoomOf, requireRoomForEach } from './require-room.ts';
import {
  type InboundItem,
  type Prepared,
  resultOf,
  storeBatch,
  type StoreInput,
  type StoreResult,
} from './store-batch.ts';

/*
 * blob durable -> parsed -> one transaction -> the caller may say 250 (D16)
 *
 * The blob comes first and the rows last: a crash in between leaves bytes that no row refers to,
 * which a sweep removes, never a message without its bytes.
 */

/** A sender may offer a message again while it is still being stored. */
const turns = new KeyedLock();

/**
 * Stores a message with an entry for each person among its recipients and a ledger row for each
 * address. When it returns, everything is durable. A repeat of the message gets the same result as
 * the first time and is not stored again.
 * @throws MessageTooComplex when it can't be parsed within the bounds; then no row is written
 * @throws AppError `mailbox_full` when no recipient has room for it, or `larger_than_mailbox` when
 *   none ever will; then no row is written either
 */
export async function storeInbound(ctx: Ctx, input: StoreInput): Promise<StoreResult> {
  if (input.recipients.length === 0) throw new Error('A message without recipients');
  const prepared = await prepare(ctx, input);
  const item = { input, prepared, dedupeKey: dedupeKeyOf(input, prepared), causeId: causeOf(ctx) };
  try {
    if (item.dedupeKey === null) return await commit(ctx, item);
    return await turns.run(item.dedupeKey, () => commit(ctx, item));
  } catch (error) {
    if (ctx.tx !== undefined) throw error;
    // The commit may have succeeded although its answer was lost. If this failed, the sender would
    // offer the message again, and without a Message-ID it would be stored twice
    const own = mayBeCommitted(error) ? await findOwn(ctx, input.mailId) : null;
    if (own !== null) return resultOf(input, own);
    if (noRoomOf(error) !== null) await removeUnneededBlob(ctx, prepared.blob.key);
    throw error;
  }
}

/** Checks and parses a message before storing its blob, so that a refused one leaves none. */
async function prepare(ctx: Ctx, input: StoreInput): Promise<Prepared> {
  const { raw, client } = input;
  await requireRoomUnlessRepeated(ctx, input);
  const parsed = await ctx.app.content.summarise(raw, blockOf(client.address));
  return { parsed, blob: await putBlob(ctx, raw), raw };
}

/**
 * Refuses a message without room before any work is done for it. If the same bytes were stored
 * lately, the message may be a repeat, which needs no room. That is decided when it is stored.
 */
async function requireRoomUnlessRepeated(ctx: Ctx, input: StoreInput): Promise<void> {
  try {
    await requireRoomForEach(ctx, [{ ...input, storedBytes: 0 }], input.raw.length);
  } catch (error) {
    if (noRoomOf(error) === null || !(await wereBytesStored(ctx, input.raw))) throw error;
  }
}

const groupOf = groupWorkOf<App, InboundItem, StoreResult>(
  (app, items) => inTransaction(systemContext(app), (tx) => storeBatch(tx, items)),
  { items: 32, lanes: 4, patienceMs: 250, gatherMs: 8 },
);

/**
 * Messages for more people than this, such as the members of a group, don't share a commit, since
 * they would delay the others.
 */
const mostPeopleOfShared = 100;

/** Messages that arrive at the same time share a commit, unless the caller has a transaction. */
async function commit(ctx: Ctx, item: InboundItem): Promise<StoreResult> {
  if (ctx.tx !== undefined) return await inTransaction(ctx, (tx) => storeOne(tx, item));
  if (item.input.recipients.length > mostPeopleOfShared) {
    return await inTransaction(systemContext(ctx.app), (tx) => storeOne(tx, item));
  }
  return await groupOf(ctx.app).add(item);
}

async function storeOne(ctx: TxCtx, item: InboundItem): Promise<StoreResult> {
  const [result] = await storeBatch(ctx, [item]);
  if (result === undefined) throw new Error('a message was not stored');
  return result;
}

/**
 * Repeats have the same sender, recipients, Message-ID and bytes. Two equal messages without a
 * Message-ID may be two on purpose: then it is better to show both than to lose one.
 */
function dedupeKeyOf({ envelopeFrom, recipients }: StoreInput, { parsed, blob }: Prepared): string | null {
  if (parsed.messageIdHeader === null) return null;
  const addresses = recipients.map(({ address, userId }) => `${address.toLowerCase()} ${userId}`).sort();
  const facts = JSON.stringify([envelopeFrom, addresses, parsed.messageIdHeader, blob.key]);
  return hash('sha256', facts);
}
